package dev.oneshot.mailer.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordTrace;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.relay.ScriptedRelay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** The trace of a request stays with it over all tries, and goes back with its settlement. */
class RequestTraceTest {

    @Test
    void retryAndSettlementCarryTheTraceOfTheRequest() throws Exception {
        Map<String, Integer> tries = new ConcurrentHashMap<>();
        ScriptedRelay.Script secondTime = new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                return tries.merge(mail.messageId(), 1, Integer::sum) < 2 ? "450 4.2.0 later" : "250 2.0.0 ok";
            }
        };
        TraceContext trace = TraceContext.create();
        MailRequested request = Requests.to("ada@example.org");
        LocalKafka kafka = TemporaryBackends.kafka();
        try (MailerHarness harness = new MailerHarness(kafka);
                ScriptedRelay relay = new ScriptedRelay(secondTime);
                KafkaConsumer<byte[], byte[]> outcomes =
                        fromNowOn(harness, Topic.MAIL_RETRY_SHORT, Topic.MAIL_SETTLED)) {
            var _ = harness.started(relay.port(), Duration.ofMillis(500), 3);

            publish(kafka, request, trace);

            Queue<ConsumerRecord<byte[], byte[]>> written = new ConcurrentLinkedQueue<>();
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                for (ConsumerRecord<byte[], byte[]> record : outcomes.poll(Duration.ofMillis(100))) {
                    if (request.addressId().equals(new String(record.key(), StandardCharsets.US_ASCII))) {
                        written.add(record);
                    }
                }
                return written.size() >= 2;
            });
            assertThat(written)
                    .extracting(ConsumerRecord::topic)
                    .containsExactlyInAnyOrder(Topic.MAIL_RETRY_SHORT.topicName(), Topic.MAIL_SETTLED.topicName());
            assertThat(written).extracting(RequestTraceTest::traceIdOf).containsOnly(trace.traceId());
            harness.stopMailers();
        }
    }

    private static String traceIdOf(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = Objects.requireNonNull(record.headers().lastHeader(TraceContext.HEADER))
                .value();
        return TraceContext.parse(new String(value, StandardCharsets.US_ASCII))
                .orElseThrow()
                .traceId();
    }

    private static void publish(LocalKafka kafka, MailRequested request, TraceContext trace) throws Exception {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                Topic.MAIL_REQUESTED.topicName(),
                request.addressId().getBytes(StandardCharsets.US_ASCII),
                EventCodec.encode(request));
        RecordTrace.put(record.headers(), trace);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(record).get();
        }
    }

    private static KafkaConsumer<byte[], byte[]> fromNowOn(MailerHarness harness, Topic... topics) {
        KafkaConsumer<byte[], byte[]> consumer = harness.clients().soleConsumer();
        List<TopicPartition> partitions = List.of(topics).stream()
                .flatMap(topic -> consumer.partitionsFor(topic.topicName()).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        return consumer;
    }
}
