package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** While no broker is ready, the DNS name of a cluster may not exist. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class UnknownBrokersIT extends StackTest {

    /** A label of a name has at most 63 characters, so no DNS server is needed. */
    private static final String NO_NAME = "b".repeat(64) + ":9092";

    @Test
    void serviceStartsAndServesAndGoesOnTrying() throws Exception {
        // Another service would publish the rows of the outbox.
        LocalPostgres own = TemporaryBackends.postgres();
        try (Replica service = Replica.of(
                stack,
                Service.API,
                "KAFKA_BOOTSTRAP_SERVERS=" + NO_NAME,
                "ONESHOT_DATABASE_URL=" + own.jdbcUrl(),
                "ONESHOT_DATABASE_USERNAME=" + own.username(),
                "ONESHOT_DATABASE_PASSWORD=" + own.password())) {
            service.account("free").send(Map.of("to", "a@b.example", "subject", "x"));

            await().untilAsserted(() -> {
                assertThat(service.metrics().sum("oneshot_outbox_depth")).isEqualTo(1);
                assertThat(service.metrics().sum("oneshot_outbox_failures_total"))
                        .isGreaterThanOrEqualTo(3);
            });
            service.kill();
        }
    }
}
