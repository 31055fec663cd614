package dev.oneshot.mailer.request;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.relay.ScriptedRelay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole mailers between a real broker and a relay that misbehaves. */
class MailerKafkaTest {

    private static final ScriptedRelay.Script FRIENDLY = new ScriptedRelay.Script() {};

    private static final MailerHarness HARNESS = new MailerHarness(TemporaryBackends.kafka());

    @AfterEach
    void stopMailers() {
        HARNESS.stopMailers();
    }

    @AfterAll
    static void stopBroker() {
        HARNESS.close();
    }

    @Test
    void aMailIsRelayedAndSettledAndItsContentDeleted() throws Exception {
        try (ScriptedRelay relay = new ScriptedRelay(FRIENDLY)) {
            var _ = HARNESS.started(relay.port(), ofMillis(100), 3);
            MailRequested request = Requests.to("ada@example.org");
            var sent = HARNESS.request(request).get();

            MailSettled settled = awaitSettled(request);

            assertThat(settled.outcome()).isEqualTo(Outcome.RELAYED);
            assertThat(settled.attempts()).isEqualTo(1);
            assertThat(settled.reply()).isEqualTo(new MailSettled.Reply(250, "2.0.0"));
            assertThat(relay.taken()).hasSize(1);
            TopicPartition partition = new TopicPartition(sent.topic(), sent.partition());
            await().atMost(ofSeconds(20))
                    .untilAsserted(() -> assertThat(firstOffset(partition)).isGreaterThan(sent.offset()));
        }
    }

    @Test
    void aTransientReplyIsRetriedUntilItSucceeds() throws Exception {
        Map<String, Integer> tries = new ConcurrentHashMap<>();
        ScriptedRelay.Script thirdTime = new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                return tries.merge(mail.messageId(), 1, Integer::sum) < 3 ? "450 4.2.0 later" : "250 2.0.0 ok";
            }
        };
        try (ScriptedRelay relay = new ScriptedRelay(thirdTime)) {
            var _ = HARNESS.started(relay.port(), ofMillis(100), 3);
            MailRequested request = Requests.to("ada@example.org");
            HARNESS.request(request).get();

            MailSettled settled = awaitSettled(request);

            assertThat(settled.outcome()).isEqualTo(Outcome.RELAYED);
            assertThat(settled.attempts()).isEqualTo(3);
            assertThat(relay.taken()).hasSize(1);
        }
    }

    @Test
    void aPermanentReplyIsRefusedAtOnce() throws Exception {
        try (ScriptedRelay relay = new ScriptedRelay(replying("550 5.1.1 unknown"))) {
            var _ = HARNESS.started(relay.port(), ofMillis(100), 3);
            MailRequested request = Requests.to("ada@example.org");
            HARNESS.request(request).get();

            MailSettled settled = awaitSettled(request);

            assertThat(settled.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(settled.attempts()).isEqualTo(1);
            assertThat(settled.reply()).isEqualTo(new MailSettled.Reply(550, "5.1.1"));
        }
    }

    @Test
    void theLastTryGivesUp() throws Exception {
        try (ScriptedRelay relay = new ScriptedRelay(replying("451 4.3.0 no"))) {
            var _ = HARNESS.started(relay.port(), ofMillis(50), 1);
            MailRequested request = Requests.to("ada@example.org");
            HARNESS.request(request).get();

            MailSettled settled = awaitSettled(request);

            assertThat(settled.outcome()).isEqualTo(Outcome.GIVEN_UP);
            assertThat(settled.attempts()).isEqualTo(4);
            assertThat(settled.reply()).isEqualTo(new MailSettled.Reply(451, "4.3.0"));
        }
    }

    @Test
    void anExpiredRequestIsNotSent() throws Exception {
        try (ScriptedRelay relay = new ScriptedRelay(FRIENDLY)) {
            var _ = HARNESS.started(relay.port(), ofMillis(100), 3);
            MailRequested request = Requests.expiringAt(Instant.now().minusSeconds(1));
            HARNESS.request(request).get();

            assertThat(awaitSettled(request).outcome()).isEqualTo(Outcome.EXPIRED);
            assertThat(relay.commands()).isEmpty();
        }
    }

    @Test
    void aRequestWhoseAddressWasDeletedIsNotSent() throws Exception {
        try (ScriptedRelay relay = new ScriptedRelay(FRIENDLY)) {
            MailRequested request = Requests.to("ada@example.org");
            HARNESS.send(
                            Topic.ADDRESS_CLOSED,
                            request.addressId(),
                            EventCodec.encode(new AddressClosed(
                                    request.addressId(), AddressClosed.Reason.DELETED, request.expiresAt())))
                    .get();
            HARNESS.request(request).get();
            var _ = HARNESS.started(relay.port(), ofMillis(100), 3);

            assertThat(awaitSettled(request).outcome()).isEqualTo(Outcome.DELETED);
            assertThat(relay.commands()).isEmpty();
        }
    }

    @Test
    void whatCannotBeReadIsDeadLetteredAndSettled() throws Exception {
        try (ScriptedRelay relay = new ScriptedRelay(FRIENDLY)) {
            var _ = HARNESS.started(relay.port(), ofMillis(100), 3);
            String id = Requests.newId();
            HARNESS.send(Topic.MAIL_REQUESTED, id, new byte[] {9, 9}).get();
            HARNESS.send(Topic.MAIL_REQUESTED, "no id", null).get();

            await().atMost(ofSeconds(30))
                    .untilAsserted(() -> assertThat(HARNESS.settled(id)).hasSize(1));
            assertThat(HARNESS.settled(id).getFirst().outcome()).isEqualTo(Outcome.UNDELIVERABLE);
            await().atMost(ofSeconds(30))
                    .untilAsserted(() -> assertThat(HARNESS.deadLetters()).hasSize(2));
            assertThat(HARNESS.deadLetters())
                    .extracting(record -> new String(
                            record.headers()
                                    .lastHeader(Topic.DEAD_LETTER_REASON_HEADER)
                                    .value(),
                            StandardCharsets.UTF_8))
                    .containsExactlyInAnyOrder("unknown format version 9", "empty");
        }
    }

    @Test
    void aRequestThatWasPublishedTwiceIsSentOnce() throws Exception {
        try (ScriptedRelay relay = new ScriptedRelay(FRIENDLY)) {
            var _ = HARNESS.started(relay.port(), ofMillis(100), 3);
            MailRequested request = Requests.to("ada@example.org");
            HARNESS.request(request).get();
            var second = HARNESS.request(request).get();
            TopicPartition partition = new TopicPartition(second.topic(), second.partition());

            await().atMost(ofSeconds(30))
                    .untilAsserted(() -> assertThat(firstOffset(partition)).isGreaterThan(second.offset()));
            assertThat(awaitSettled(request).outcome()).isEqualTo(Outcome.RELAYED);
            assertThat(relay.taken()).hasSize(1);
        }
    }

    @Test
    void aMailThatHangsDoesNotHoldUpTheOthers() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        ScriptedRelay.Script hangingForBob = new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                if (mail.to().startsWith("bob")) {
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                return "250 2.0.0 ok";
            }
        };
        try (ScriptedRelay relay = new ScriptedRelay(hangingForBob)) {
            var _ = HARNESS.started(relay.port(), ofMillis(100), 3);
            MailRequested bobs = Requests.to("bob@example.org");
            HARNESS.request(bobs).get();
            Set<String> others = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                MailRequested other = Requests.to("ada@example.org");
                others.add(other.addressId());
                HARNESS.request(other).get();
            }

            await().atMost(ofSeconds(40)).until(() -> settledOf(others).equals(others));
            assertThat(relay.taken()).hasSize(50);
            assertThat(HARNESS.settled(bobs.addressId())).isEmpty();
            released.countDown();
            assertThat(awaitSettled(bobs).outcome()).isEqualTo(Outcome.RELAYED);
        }
    }

    @Test
    void everyMailIsSettledThoughMailersDieAndTheRelayFailsOneInTen() throws Exception {
        Random random = new Random(1);
        ScriptedRelay.Script oneInTen = new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                return random.nextInt(10) == 0 ? "451 4.3.0 no luck" : "250 2.0.0 ok";
            }
        };
        int count = Integer.getInteger("oneshot.mails", 2_000);
        try (ScriptedRelay relay = new ScriptedRelay(oneInTen)) {
            Set<String> requested = new HashSet<>();
            for (int i = 0; i < count; i++) {
                MailRequested request = Requests.to("ada@example.org");
                requested.add(request.addressId());
                var _ = HARNESS.request(request);
            }
            HARNESS.flush();
            for (int restart = 1; restart <= 3; restart++) {
                var _ = HARNESS.started(relay.port(), ofMillis(200), 20);
                int enough = restart * count / 5;
                await().atMost(ofSeconds(60).plusMillis(10L * count))
                        .until(() -> relay.taken().size() >= enough);
                HARNESS.stopMailers();
            }
            var _ = HARNESS.started(relay.port(), ofMillis(200), 20);

            await().atMost(Duration.ofMinutes(2).plusMillis(20L * count))
                    .untilAsserted(() -> assertThat(settledOf(requested)).hasSize(count));

            assertThat(HARNESS.settled())
                    .filteredOn(event -> requested.contains(event.addressId()))
                    .allSatisfy(event -> assertThat(event.outcome()).isEqualTo(Outcome.RELAYED));
            Map<String, Long> copies = relay.taken().stream()
                    .filter(mail -> requested.contains(
                            mail.from().substring(0, mail.from().indexOf('@'))))
                    .collect(Collectors.groupingBy(ScriptedRelay.Mail::messageId, Collectors.counting()));
            assertThat(copies).hasSize(count);
            // Each of the orderly stops waits for what has begun, so nothing is sent twice.
            assertThat(copies.values()).allMatch(times -> times == 1);
            System.out.printf(
                    "%d requests, a relay that fails one in ten, 3 restarts: relayed and settled %d, by number of tries"
                            + " %s; lost 0, sent twice 0%n",
                    count, copies.size(), triesOf(requested));
        }
    }

    private static Set<String> settledOf(Set<String> requested) {
        return HARNESS.settled().stream()
                .map(MailSettled::addressId)
                .filter(requested::contains)
                .collect(Collectors.toSet());
    }

    private static Map<Integer, Long> triesOf(Set<String> requested) {
        return HARNESS.settled().stream()
                .filter(event -> requested.contains(event.addressId()))
                .collect(Collectors.groupingBy(MailSettled::attempts, TreeMap::new, Collectors.counting()));
    }

    private static MailSettled awaitSettled(MailRequested request) {
        await().atMost(ofSeconds(40))
                .until(() -> !HARNESS.settled(request.addressId()).isEmpty());
        List<MailSettled> settled = HARNESS.settled(request.addressId());
        assertThat(settled).hasSize(1);
        return settled.getFirst();
    }

    private static long firstOffset(TopicPartition partition) throws ExecutionException, InterruptedException {
        try (Admin admin = HARNESS.clients().admin()) {
            return admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        }
    }

    private static ScriptedRelay.Script replying(String reply) {
        return new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                return reply;
            }
        };
    }
}
