package dev.oneshot.api.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestBean;
import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.sending.Sending;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

@ServiceTest
class MailPartitionsTest {

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'mail_'yyyyMMddHH").withZone(ZoneOffset.UTC);
    private static final String COUNT =
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'mail'::regclass AND inhrelid::regclass::text ";

    @Test
    void hoursToComeAreThereAndThoseThatAreOverAreNotMadeAnew() {
        Instant begin = Instant.now();
        FreshDatabase database = FreshDatabase.create();
        String over = COUNT + "< '" + NAME.format(begin) + "'";
        // One, when the hour ended after the template of this database was migrated.
        long overBefore = database.number(over);
        InboxConfig config = TestBean.of(InboxConfig.class);

        new MailIntake(database.database(), TestBean.of(Sending.class), config).createPartitions();

        assertThat(database.number(over)).isEqualTo(overBefore);
        assertThat(database.number(COUNT + "= '" + NAME.format(begin.plus(config.partitionsAhead())) + "'"))
                .isEqualTo(1);
    }
}
