package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.Metrics;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Large mails wait in Kafka while the database is down: the service holds few of them, in its usual heap. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class LargeMailBacklogIT extends StackTest {

    private static final int MAILS = 40;
    private static final int MAIL_BYTES = 20 * 1024 * 1024;

    @Test
    void fortyMailsOfTwentyMebibytesAreStoredAfterAnOutageAndAReplicaThatStopsInItLosesNone() throws Exception {
        ProcessHandle staying = stack.process(Service.API);
        Metrics metrics = new Metrics(stack.settings().port(Port.API_MANAGEMENT));
        List<String> ids = Stream.generate(account::createAddress).limit(MAILS).toList();
        byte[] message = TestMail.large("Subject: large", MAIL_BYTES);

        try (Replica stopping = Replica.of(stack, Service.API)) {
            stack.database().stop();
            try {
                for (String id : ids) {
                    assertThat(Account.deliver(stack, id, message)).startsWith("250");
                }
                awaitFailedTries(stopping.metrics(), 2);
                awaitFailedTries(metrics, 2);
                assertThat(stopping.terminate().get(3, TimeUnit.MINUTES)).isEqualTo(143);
                awaitFailedTries(metrics, 2);
            } finally {
                stack.database().start();
            }
        }
        ids.forEach(account::awaitMail);

        assertThat(stack.process(Service.API)).isEqualTo(staying);
        assertThat(staying.isAlive())
                .as("it exits if its heap does not suffice")
                .isTrue();
    }

    private static void awaitFailedTries(Metrics metrics, int more) {
        String postponed = "oneshot_inbox_postponed_total";
        double before = metrics.sum(postponed);
        await().until(() -> metrics.sum(postponed) >= before + more);
    }
}
