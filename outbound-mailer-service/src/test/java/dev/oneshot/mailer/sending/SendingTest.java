package dev.oneshot.mailer.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.LeaseExtended;
import dev.oneshot.contracts.event.MailDeferred;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import dev.oneshot.contracts.event.MailSettled.Reply;
import dev.oneshot.contracts.event.SendLease;
import dev.oneshot.contracts.event.SendResult;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.mailer.Requests;
import dev.oneshot.testing.HoldingScript;
import dev.oneshot.testing.ScriptedRelay;
import dev.oneshot.testing.TopicRecords;
import io.opentelemetry.context.Context;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole service between a real broker and a scripted relay. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
@WithTestResource(RelayResource.class)
class SendingTest {

    private static final Duration STEP_TIMEOUT = Duration.ofMinutes(3);

    private final ScriptedRelay relay = RelayResource.relay();
    private final Instant leasedUntil = Instant.now().plusSeconds(1500).truncatedTo(ChronoUnit.MICROS);

    private static String brokers() {
        return ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class);
    }

    @Test
    void aMailIsRelayedAndItsResultContinuesItsTrace() throws Exception {
        MailRequested request = Requests.to("ada@example.org");
        Context trace = TraceContext.parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        ProducerRecord<String, byte[]> record = leased(null, request, leasedUntil, 2);
        TraceContext.put(record.headers(), trace);
        publish(record);

        MailSettled settled = (MailSettled) awaitResult(request.addressId());

        assertThat(settled.outcome()).isEqualTo(Outcome.RELAYED);
        assertThat(settled.attempts()).isEqualTo(3);
        assertThat(settled.reply()).isEqualTo(new Reply(250, "2.0.0"));
        assertThat(settled.requestedAt()).isEqualTo(request.requestedAt());
        assertThat(taken(request)).hasSize(1);
        assertThat(TraceContext.traceparent(
                        TraceContext.of(results(request.addressId()).getFirst().headers())))
                .startsWith("00-4bf92f3577b34da6a3ce929d0e0e4736-");
    }

    @Test
    void aTransientReplyDefersTheMail() throws Exception {
        relay.setScript(ScriptedRelay.Script.replying(".", "450 4.2.0 later"));
        MailRequested request = Requests.to("ada@example.org");
        Instant before = Instant.now();
        publish(request, 0);

        MailDeferred deferred = (MailDeferred) awaitResult(request.addressId());

        assertThat(deferred.leasedUntil()).isEqualTo(leasedUntil);
        assertThat(deferred.failure()).isEqualTo(Failure.REPLY);
        assertThat(deferred.reply()).isEqualTo(new Reply(450, "4.2.0"));
        assertThat(deferred.attempts()).isEqualTo(1);
        assertThat(deferred.dueAt())
                .isBetween(before.plusSeconds(15), Instant.now().plusSeconds(18));
    }

    @ParameterizedTest
    @CsvSource({"0, 550, 5.1.1, REFUSED", "39, 451, 4.3.0, GIVEN_UP"})
    void aPermanentReplyIsFinalAndTheLastAttemptGivesUp(int attempts, int code, String status, Outcome outcome)
            throws Exception {
        relay.setScript(ScriptedRelay.Script.replying(".", code + " " + status + " no"));
        MailRequested request = Requests.to("ada@example.org");
        publish(request, attempts);

        MailSettled settled = (MailSettled) awaitResult(request.addressId());

        assertThat(settled.outcome()).isEqualTo(outcome);
        assertThat(settled.attempts()).isEqualTo(attempts + 1);
        assertThat(settled.reply()).isEqualTo(new Reply(code, status));
    }

    @Test
    void anExpiredRequestIsNotSent() throws Exception {
        MailRequested request = Requests.expiringAt(Instant.now().minusSeconds(1));
        publish(request, 0);

        assertThat(((MailSettled) awaitResult(request.addressId())).outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(taken(request)).isEmpty();
    }

    @Test
    void aRequestThatCannotBeReadIsUndeliverable() throws Exception {
        String id = Requests.newId();
        ProducerRecord<String, byte[]> record = due(null, id, new byte[] {9, 9});
        new SendLease(leasedUntil, 0).put(record.headers());
        publish(record);

        assertThat(((MailSettled) awaitResult(id)).outcome()).isEqualTo(Outcome.UNDELIVERABLE);
    }

    /** The last record of the partition has a result, so those before it were skipped. */
    @Test
    void whatHasNoLeaseOrOneThatHasEndedIsNotAttempted() throws Exception {
        MailRequested without = Requests.to("ada@example.org");
        MailRequested ended = Requests.to("ada@example.org");
        MailRequested after = Requests.to("ada@example.org");
        publish(due(0, without.addressId(), EventCodec.encode(without)));
        publish(leased(0, ended, Instant.now().minusSeconds(1), 0));
        publish(leased(0, after, leasedUntil, 0));

        awaitResult(after.addressId());
        MailRequested later = Requests.to("ada@example.org");
        publish(leased(0, later, leasedUntil, 0));
        awaitResult(later.addressId());

        assertThat(taken(without)).isEmpty();
        assertThat(taken(ended)).isEmpty();
        assertThat(results(without.addressId())).isEmpty();
        assertThat(results(ended.addressId())).isEmpty();
    }

    @Test
    void theLeaseOfALongAttemptIsExtended() throws Exception {
        HoldingScript script = new HoldingScript("450 4.2.0 later");
        relay.setScript(script);
        MailRequested request = Requests.to(HoldingScript.BEFORE_250);
        Instant soon = Instant.now().plusSeconds(20).truncatedTo(ChronoUnit.MICROS);
        publish(leased(null, request, soon, 0));

        LeaseExtended extended = (LeaseExtended) awaitResult(request.addressId());
        script.release();
        MailDeferred deferred = (MailDeferred) awaitResults(request.addressId(), 2);

        assertThat(extended.leasedUntil()).isEqualTo(soon);
        assertThat(extended.until()).isAfter(soon);
        assertThat(deferred.leasedUntil()).isEqualTo(extended.until());
    }

    @Test
    void aMailThatHangsDoesNotHoldUpTheOthers() throws Exception {
        HoldingScript script = new HoldingScript();
        relay.setScript(script);
        MailRequested held = Requests.to(HoldingScript.BEFORE_250);
        publish(held, 0);
        List<MailRequested> others =
                Stream.generate(() -> Requests.to("ada@example.org")).limit(100).toList();
        TopicRecords.publish(
                brokers(),
                others.stream()
                        .map(other -> leased(null, other, leasedUntil, 0))
                        .toList());

        await().atMost(STEP_TIMEOUT)
                .until(() -> others.stream().noneMatch(other -> taken(other).isEmpty()));
        awaitResult(others.getLast().addressId());
        assertThat(results(held.addressId())).isEmpty();
        script.release();
        awaitResult(held.addressId());
    }

    @Test
    void aResultWaitsWhileKafkaIsAwayAndTheMailIsSentOnce() throws Exception {
        HoldingScript script = new HoldingScript();
        relay.setScript(script);
        MailRequested request = Requests.to(HoldingScript.BEFORE_250);
        publish(request, 0);
        await().atMost(STEP_TIMEOUT).until(() -> script.hasHeld(HoldingScript.BEFORE_250));

        KafkaResource.stopBroker();
        try {
            script.release();
            await().atMost(STEP_TIMEOUT).until(() -> taken(request).size() == 1);
        } finally {
            KafkaResource.startBroker();
        }

        assertThat(((MailSettled) awaitResult(request.addressId())).outcome()).isEqualTo(Outcome.RELAYED);
        assertThat(taken(request)).hasSize(1);
    }

    private static ProducerRecord<String, byte[]> due(@Nullable Integer partition, String key, byte[] value) {
        return new ProducerRecord<>(Topic.MAIL_DUE.topicName(), partition, key, value);
    }

    private static ProducerRecord<String, byte[]> leased(
            @Nullable Integer partition, MailRequested request, Instant until, int attempts) {
        ProducerRecord<String, byte[]> record = due(partition, request.addressId(), EventCodec.encode(request));
        new SendLease(until, attempts).put(record.headers());
        return record;
    }

    private void publish(MailRequested request, int attempts) {
        publish(leased(null, request, leasedUntil, attempts));
    }

    private static void publish(ProducerRecord<String, byte[]> record) {
        TopicRecords.publish(brokers(), List.of(record));
    }

    private List<ConsumerRecord<String, byte[]>> results(String id) {
        return TopicRecords.read(brokers(), Topic.MAIL_SETTLED.topicName(), id);
    }

    private SendResult awaitResult(String id) throws EventFormatException {
        return awaitResults(id, 1);
    }

    /** Waits for so many results, and returns the last. */
    private SendResult awaitResults(String id, int count) throws EventFormatException {
        await().atMost(STEP_TIMEOUT).until(() -> results(id).size() >= count);
        List<ConsumerRecord<String, byte[]>> results = results(id);
        assertThat(results).hasSize(count);
        return EventCodec.decodeSendResult(results.getLast().value());
    }

    private List<ScriptedRelay.Mail> taken(MailRequested request) {
        return relay.taken(request.addressId());
    }
}
