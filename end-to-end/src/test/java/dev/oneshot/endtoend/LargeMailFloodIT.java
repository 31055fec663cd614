package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.Metrics;
import dev.oneshot.testing.SmtpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * More large mails at once than fit into the usual heap of an ingest node: while Kafka is down, the node replies 451 or 452 and
 * keeps running, and each mail gets its 250 afterwards.
 */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class LargeMailFloodIT extends StackTest {

    private static final int SENDERS = 36;
    private static final int MAIL_BYTES = 5 * 1024 * 1024;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private final byte[] mail = mail();
    private final Map<String, Integer> replies = new TreeMap<>();
    private final BlockingQueue<Object> pauses = new LinkedBlockingQueue<>();

    @Test
    void largeMailsAreDeferredWithoutKafkaAndAcceptedAfterwards() throws Exception {
        ProcessHandle ingest = stack.process(Service.INGEST);
        List<String> ids =
                Stream.generate(account::createAddress).limit(SENDERS).toList();

        stack.killKafka();
        try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> sending = new ArrayList<>();
            for (String id : ids) {
                sending.add(senders.submit(() -> sendUntilTaken(id)));
            }
            await().untilAsserted(() -> assertThat(replies()).containsKeys("451", "452"));
            assertThat(count("250")).isZero();
            stack.startKafka();
            for (Future<?> sender : sending) {
                sender.get();
            }
        }

        assertThat(replies().keySet()).isSubsetOf("250", "451", "452");
        assertThat(count("250")).isEqualTo(SENDERS);
        for (String id : ids) {
            account.awaitMail(id);
            assertThat(account.get(id, "").<Integer>path("email.size_bytes")).isGreaterThan(mail.length);
        }
        JourneyIT.assertRawEndsWith(account.octets(ids.getFirst(), "/email/raw"), mail);
        assertThat(stack.process(Service.INGEST)).isEqualTo(ingest);
        assertThat(ingest.isAlive()).isTrue();
        assertNothingIsHeld();
        System.out.printf("%d senders of 5 MiB while Kafka was away, replies %s%n", SENDERS, replies());
    }

    private void assertNothingIsHeld() {
        Metrics metrics = new Metrics(stack.settings().port(Port.INGEST_MANAGEMENT));
        await().untilAsserted(() -> assertThat(metrics.scrape())
                .contains("oneshot_ingest_memory_reserved_bytes 0.0", "oneshot_ingest_memory_waiting 0.0"));
    }

    private Void sendUntilTaken(String id) throws Exception {
        boolean taken = false;
        while (!taken) {
            try (SmtpClient sender = Account.smtp(stack)) {
                String code = sender.send(Account.mailbox(id), mail).substring(0, 3);
                countReply(code);
                assertThat(code).isIn("250", "451", "452");
                taken = code.equals("250");
            }
            if (!taken) {
                pauses.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
        return null;
    }

    private void countReply(String code) {
        synchronized (replies) {
            replies.merge(code, 1, Integer::sum);
        }
    }

    private int count(String code) {
        return replies().getOrDefault(code, 0);
    }

    private Map<String, Integer> replies() {
        synchronized (replies) {
            return Map.copyOf(replies);
        }
    }

    /** No line of it begins with a dot. */
    private static byte[] mail() {
        byte[] octets = new byte[MAIL_BYTES * 3 / 4];
        new Random(1).nextBytes(octets);
        return ("Subject: large\r\n\r\n" + Base64.getMimeEncoder().encodeToString(octets) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
