package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.endtoend.MailLoad.Event;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.Metrics;
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

    @Test
    void largeMailsAreDeferredWithoutKafkaAndAcceptedAfterwards() throws Exception {
        ProcessHandle ingest = stack.process(Service.INGEST);
        byte[] message = TestMail.large("Subject: large", MAIL_BYTES);
        MailLoad load = new MailLoad(SENDERS, stack.settings().port(Port.SMTP));
        Stream.generate(account::createAddress).limit(SENDERS).forEach(id -> load.add(id, message));

        stack.killKafka();
        load.send(() -> {
            await().untilAsserted(() -> assertThat(load.codes()).containsKeys("451", "452"));
            assertThat(load.count(Event.ACCEPTED)).isZero();
            stack.startKafka();
            return null;
        });

        assertThat(load.codes().keySet()).isSubsetOf("250", "451", "452");
        assertThat(load.count(Event.ACCEPTED)).isEqualTo(SENDERS);
        assertThat(load.count(Event.LOST) + load.count(Event.UNREACHABLE)).isZero();
        for (MailLoad.Mail mail : load.mails()) {
            account.awaitMail(mail.addressId());
            assertThat(account.get(mail.addressId(), "").<Integer>path("email.size_bytes"))
                    .isGreaterThan(message.length);
        }
        JourneyIT.assertRawEndsWith(account.octets(load.mails().getFirst().addressId(), "/email/raw"), message);
        assertThat(stack.process(Service.INGEST)).isEqualTo(ingest);
        assertThat(ingest.isAlive()).isTrue();
        Metrics metrics = new Metrics(stack.settings().port(Port.INGEST_MANAGEMENT));
        await().untilAsserted(() -> assertThat(metrics.scrape())
                .contains("oneshot_ingest_memory_reserved_bytes 0.0", "oneshot_ingest_memory_waiting 0.0"));
    }
}
