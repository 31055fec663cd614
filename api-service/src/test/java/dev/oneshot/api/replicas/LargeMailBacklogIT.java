package dev.oneshot.api.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Large mails wait in Kafka while the database is down: the service holds few of them, in its usual heap. */
class LargeMailBacklogIT {

    private static final int MAILS = 40;
    private static final int MAIL_BYTES = 20 * 1024 * 1024;

    private static final Pattern POSTPONED = Pattern.compile("oneshot_inbox_postponed_total[ {].*");

    private final LocalPostgres postgres = TemporaryBackends.postgres();
    private final LocalKafka kafka = TemporaryBackends.kafka();

    @Test
    void fortyMailsOfTwentyMebibytesAreStoredAfterAnOutageAndAReplicaThatStopsInItLosesNone() throws IOException {
        Replica stopping = Replica.start("stops-in-outage", "512m", postgres, kafka, Map.of());
        Replica staying = Replica.start("large-backlog", "512m", postgres, kafka, Map.of());
        try {
            stopping.awaitReady();
            staying.awaitReady();
            String key = stopping.customer("scale").key();
            List<String> ids =
                    Stream.generate(() -> stopping.address(key)).limit(MAILS).toList();

            postgres.stop();
            byte[] message = message();
            ids.forEach(id -> TestMail.publish(kafka.bootstrapServers(), TestMail.event(id, message)));
            awaitFailedTries(stopping, 2);
            awaitFailedTries(staying, 2);

            assertThat(stopping.terminate()).isEqualTo(143);
            awaitFailedTries(staying, 4);
            postgres.start();

            ids.forEach(id -> staying.awaitReceived(id, key));
            assertThat(staying.isLive()).isTrue();
            assertThat(staying.log()).doesNotContain("OutOfMemoryError");
            assertThat(stopping.log()).doesNotContain("OutOfMemoryError");
        } finally {
            stopping.kill();
            staying.kill();
            kafka.close();
            postgres.close();
        }
    }

    private static void awaitFailedTries(Replica replica, int tries) {
        await().atMost(Duration.ofMinutes(2)).until(() -> TestMetrics.sum(replica.metrics(), POSTPONED) >= tries);
    }

    private static byte[] message() {
        String line = "a line of a body that is as long as lines of mails may well be, and no longer.\r\n";
        return ("Subject: large\r\n\r\n" + line.repeat(MAIL_BYTES / line.length())).getBytes(StandardCharsets.US_ASCII);
    }
}
