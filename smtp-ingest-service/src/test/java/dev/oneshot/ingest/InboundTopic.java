package dev.oneshot.ingest;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What is on {@code mail.inbound}. */
public final class InboundTopic {

    private static final Duration POLL = Duration.ofMillis(200);

    private InboundTopic() {}

    /** The mails of an address that are acknowledged by now. */
    public static List<MailInbound> mailsOf(String addressId, String bootstrapServers) throws EventFormatException {
        List<MailInbound> mails = new ArrayList<>();
        for (ConsumerRecord<String, byte[]> message : recordsOf(addressId, bootstrapServers)) {
            mails.add(EventCodec.decodeMailInbound(message.value()));
        }
        return mails;
    }

    /** The same as they lie in Kafka. */
    static List<ConsumerRecord<String, byte[]>> recordsOf(String addressId, String bootstrapServers) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        Topic.RECORD_BYTES_MAX),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(Topic.MAIL_INBOUND.topicName()).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<String, byte[]> message : consumer.poll(POLL)) {
                    if (message.key().equals(addressId)) {
                        records.add(message);
                    }
                }
            }
        }
        return records;
    }
}
