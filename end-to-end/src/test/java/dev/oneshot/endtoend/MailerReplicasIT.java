package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.HoldingScript;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Two mailers share the work and send each mail once, also when they restart in turn or one is frozen. */
@Order(2)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class MailerReplicasIT extends OwnMailers {

    private static final int RESTARTS = 2;
    private static final int MAILS_BETWEEN_RESTARTS = 100;
    private static final int CLIENTS = 2;

    @Test
    void theyAreRestartedInTurnUnderLoad() throws Exception {
        Queue<String> ids = new ConcurrentLinkedQueue<>();
        AtomicBoolean restarting = new AtomicBoolean(true);
        try (Replica first = mailer();
                Replica second = mailer();
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> sending = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                sending.add(clients.submit(() -> {
                    while (restarting.get()) {
                        ids.add(send(HoldingScript.SLOW));
                    }
                }));
            }
            try {
                for (int restart = 0; restart < RESTARTS; restart++) {
                    int before = relay.taken().size();
                    await().until(() -> relay.taken().size() >= before + MAILS_BETWEEN_RESTARTS);
                    Replica next = restart % 2 == 0 ? first : second;
                    next.stop();
                    next.restart();
                }
            } finally {
                restarting.set(false);
            }
            for (Future<?> client : sending) {
                client.get();
            }

            await().until(() -> relay.taken().size() >= ids.size());
            // A sample, as one request for each mail would take long.
            for (String id : ids.stream().skip(Math.max(0, ids.size() - 20)).toList()) {
                assertThat(awaitOutcome(id)).isEqualTo("relayed");
            }
        }
        assertThat(relay.taken())
                .extracting(mail -> mail.from().substring(0, mail.from().indexOf('@')))
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void oneStandsStillForLongerThanItsLease() throws Exception {
        try (Replica frozen = mailer()) {
            String id = send(HoldingScript.BEFORE_DATA);
            await().until(() -> script.hasHeld(HoldingScript.BEFORE_DATA));
            signal(frozen, "STOP");
            try (Replica _ = mailer()) {
                // The mailer finds the 354 when it continues. It is sent only now, as a signal stops a process
                // with a delay.
                script.release();
                assertThat(awaitOutcome(id)).isEqualTo("relayed");
            } finally {
                signal(frozen, "CONT");
            }
            // It waits for attempts that have begun.
            frozen.stop();

            assertThat(relay.taken(id)).hasSize(1);
        }
    }

    private static void signal(Replica replica, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(replica.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }
}
