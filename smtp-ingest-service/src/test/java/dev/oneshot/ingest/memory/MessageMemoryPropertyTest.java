package dev.oneshot.ingest.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds for messages in any order of steps. */
class MessageMemoryPropertyTest {

    private static final int UNIT = 2 * MessageMemory.SMALL;
    private static final int LARGEST = 6 * UNIT;

    /** Twenty of the largest messages: all are finished, and the bound holds. */
    @Property(tries = 100)
    void everyMessageIsFinishedInTheEnd(@ForAll long seed) {
        Random random = new Random(seed);
        MessageMemory shared = new MessageMemory(14 * UNIT, LARGEST, Duration.ofSeconds(10));
        List<Sender> senders = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            senders.add(new Sender(shared));
        }
        int steps = 0;

        while (!senders.isEmpty()) {
            List<Sender> able = senders.stream().filter(sender -> !sender.waits).toList();
            assertThat(able).as("those who can go on").isNotEmpty();
            Sender sender = able.get(random.nextInt(able.size()));
            if (sender.step()) {
                senders.remove(sender);
            }
            assertThat(shared.reserved()).isLessThanOrEqualTo(shared.max());
            assertThat(++steps).isLessThan(10_000);
        }

        assertThat(shared.reserved()).isZero();
        assertThat(shared.waiting()).isZero();
    }

    private static final class Sender {
        private static final int PIECE = UNIT / 2;
        private final MessageMemory.SessionMemory session;
        private long held;
        private boolean asked;
        private boolean waits;

        Sender(MessageMemory memory) {
            this.session = memory.ofSession();
        }

        /** Takes one piece more, or ends if it has all. */
        boolean step() {
            if (asked) {
                asked = false;
                held += PIECE;
            } else if (held == LARGEST) {
                session.release(held);
                return true;
            } else if (session.reserve(PIECE)) {
                held += PIECE;
            } else {
                asked = true;
                waits = true;
                session.await(PIECE, 0, taken -> waits = !taken);
            }
            return false;
        }
    }
}
