package dev.oneshot.mailer.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

class OffsetLedgerTest {

    @Test
    void whatIsDoneOutOfOrderIsDoneAfterARestart() {
        OffsetLedger ledger = arrived(100, 105);
        ledger.finish(101);
        ledger.finish(103);

        OffsetLedger restored = OffsetLedger.restore(ledger.committable());

        assertThat(ledger.committable().offset()).isEqualTo(100);
        assertThat(LongStream.range(99, 105).filter(restored::isDone)).containsExactly(99L, 101L, 103L);
    }

    @Test
    void theOffsetAdvancesOverWhatIsDoneAlready() {
        OffsetLedger ledger = arrived(100, 104);
        ledger.finish(101);
        ledger.finish(100);

        assertThat(ledger.committable()).isEqualTo(new OffsetAndMetadata(102, ""));
    }

    @Test
    void offsetsWithoutARecordCountAsDone() {
        OffsetLedger ledger = OffsetLedger.from(100);
        ledger.arrive(103);
        ledger.arrive(106);
        ledger.finish(106);

        assertThat(ledger.committable().offset()).isEqualTo(103);
        ledger.finish(103);
        assertThat(ledger.committable()).isEqualTo(new OffsetAndMetadata(107, ""));
    }

    @Test
    void aGapLargerThanTheWindowIsJumpedOnceNothingIsLeftBeforeIt() {
        OffsetLedger ledger = OffsetLedger.from(0);
        assertThat(ledger.arrive(0)).isTrue();
        assertThat(ledger.arrive(1_000_000)).isFalse();

        ledger.finish(0);

        assertThat(ledger.arrive(1_000_000)).isTrue();
        assertThat(ledger.committable().offset()).isEqualTo(1_000_000);
    }

    @Test
    void aFullWindowFitsKafkasMetadataAndOneMoreHasToWait() {
        OffsetLedger ledger = OffsetLedger.from(0);
        for (long offset = 0; offset < OffsetLedger.WINDOW; offset++) {
            assertThat(ledger.arrive(offset)).isTrue();
        }
        assertThat(ledger.arrive(OffsetLedger.WINDOW)).isFalse();
        for (long offset = 1; offset < OffsetLedger.WINDOW; offset++) {
            ledger.finish(offset);
        }

        assertThat(ledger.committable().metadata()).hasSizeLessThanOrEqualTo(4096);
        assertThat(OffsetLedger.restore(ledger.committable()).isDone(OffsetLedger.WINDOW - 1))
                .isTrue();
        ledger.finish(0);
        assertThat(ledger.committable()).isEqualTo(new OffsetAndMetadata(OffsetLedger.WINDOW, ""));
        assertThat(ledger.arrive(OffsetLedger.WINDOW)).isTrue();
    }

    @Test
    void metadataOfOthersCountsAsNone() {
        assertThat(OffsetLedger.restore(new OffsetAndMetadata(7, "something")).committable())
                .isEqualTo(new OffsetAndMetadata(7, ""));
    }

    @Property(tries = 200)
    void exactlyWhatWasFinishedIsDone(@ForAll long seed) {
        Random random = new Random(seed);
        List<Long> offsets = new ArrayList<>();
        long offset = random.nextInt(100);
        OffsetLedger ledger = OffsetLedger.from(offset);
        for (int i = 0; i < 200; i++) {
            offset += random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 1;
            offsets.add(offset);
            assertThat(ledger.arrive(offset)).isTrue();
        }
        List<Long> order = new ArrayList<>(offsets);
        Collections.shuffle(order, random);
        Set<Long> finished = new HashSet<>(order.subList(0, random.nextInt(201)));
        for (long done : order) {
            if (finished.contains(done)) {
                ledger.finish(done);
                ledger = random.nextInt(20) == 0 ? OffsetLedger.restore(ledger.committable()) : ledger;
            }
        }
        OffsetLedger last = ledger;

        assertThat(offsets).allSatisfy(each -> assertThat(last.isDone(each)).isEqualTo(finished.contains(each)));
        assertThat(last.committable().offset())
                .isEqualTo(offsets.stream()
                        .filter(each -> !finished.contains(each))
                        .findFirst()
                        .orElse(offsets.getLast() + 1));
    }

    private static OffsetLedger arrived(long from, long to) {
        OffsetLedger ledger = OffsetLedger.from(from);
        LongStream.range(from, to).forEach(ledger::arrive);
        return ledger;
    }
}
