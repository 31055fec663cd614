package dev.oneshot.api.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailInbound;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

@ServiceTest
class MailIntakeTest {

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'mail_'yyyyMMddHH").withZone(ZoneOffset.UTC);
    private static final String COUNT =
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'mail'::regclass AND inhrelid::regclass::text ";

    private static final String ADDRESSES = "INSERT INTO address (id, account_id, mode, status, created_at, expires_at)"
            + " SELECT lpad(number::text, 24, '0'), account.id, 'receive', '%s', now(), now() + interval '1 hour'"
            + " FROM account, generate_series(?::int, ?::int) AS number";

    @Test
    void partitionsOfFutureHoursExistAndThoseOfPastHoursAreNotRecreated() {
        Instant begin = Instant.now();
        FreshDatabase database = FreshDatabase.create();
        String over = COUNT + "< '" + NAME.format(begin) + "'";
        // There is one such partition if the hour ended after the template database was migrated.
        long overBefore = database.number(over);

        new MailIntake(database.database()).createPartitions();

        assertThat(database.number(over)).isEqualTo(overBefore);
        assertThat(database.number(COUNT + "= '" + NAME.format(begin.plus(MailIntake.PARTITIONS_AHEAD)) + "'"))
                .isEqualTo(1);
    }

    @Test
    void eachAddressIsFoundByItsIdWhateverTheStatisticsSay() {
        FreshDatabase database = FreshDatabase.create();
        var _ = database.account();
        database.execute(ADDRESSES.formatted("expired"), 1, 5_000);
        database.execute("ANALYZE address");
        database.execute(ADDRESSES.formatted("waiting"), 5_001, 10_050);
        List<ReceivedMail> batch = IntStream.rangeClosed(10_001, 10_050)
                .mapToObj(MailIntakeTest::mail)
                .toList();
        MailIntake intake = new MailIntake(database.database());

        long read = database.transaction(() -> {
            assertThat(intake.store(batch)).hasSize(50);
            return database.number(
                    "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'address'");
        });

        // Each row is read once to be locked, and once to be changed.
        assertThat(read).isEqualTo(100);
    }

    private static ReceivedMail mail(int number) {
        MailInbound event = TestMail.event("%024d".formatted(number), "Subject: s\n\ntext");
        try {
            return ReceivedMail.checked(
                    new ConsumerRecord<>("mail.inbound", 0, number, event.key(), new byte[0]), event);
        } catch (EventFormatException e) {
            throw new AssertionError(e);
        }
    }
}
