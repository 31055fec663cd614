package dev.oneshot.api.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.database.FreshDatabase;
import io.quarkus.arc.Arc;
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
        InboxConfig config = Arc.container().instance(InboxConfig.class).get();

        new MailPartitions(database.database(), config).create();

        assertThat(database.number(COUNT + "< '" + NAME.format(begin) + "'")).isZero();
        assertThat(database.number(COUNT + "= '" + NAME.format(begin.plus(config.partitionsAhead())) + "'"))
                .isEqualTo(1);
    }

    @Test
    void smallMailIsOneRowInEachPartition() {
        FreshDatabase database = FreshDatabase.create();
        new MailPartitions(
                        database.database(),
                        Arc.container().instance(InboxConfig.class).get())
                .create();

        database.execute(
                "INSERT INTO mail (address_id, expires_at, structure, raw) SELECT i, now() + i * interval '1 hour',"
                        + " '', decode(repeat('61', 7000), 'hex') FROM generate_series(1, 29) AS i");

        assertThat(database.number("SELECT count(DISTINCT tableoid) FROM mail")).isEqualTo(29);
        assertThat(database.number("SELECT sum(pg_relation_size(reltoastrelid)) FROM pg_class"
                        + " WHERE oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'mail'::regclass)"))
                .isZero();
    }
}
