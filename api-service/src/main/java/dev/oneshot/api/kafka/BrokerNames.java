package dev.oneshot.api.kafka;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.jboss.logging.Logger;

/**
 * Delays the opening of a Kafka client until a broker's name resolves. Without one the client's constructor fails, and the connector
 * does not try again. Kafka configures interceptors before it resolves names, and the connector opens clients on threads of its own.
 */
@RegisterForReflection
public final class BrokerNames implements ConsumerInterceptor<Object, Object>, ProducerInterceptor<Object, Object> {

    private static final Logger LOG = Logger.getLogger(BrokerNames.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    @Override
    public void configure(Map<String, ?> settings) {
        List<String> brokers = List.of(String.valueOf(settings.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG))
                .split(",", -1));
        while (!isResolved(brokers)) {
            try {
                Thread.sleep(RETRY);
            } catch (InterruptedException e) {
                throw new InterruptException("interrupted before a broker's name was resolved", e);
            }
        }
    }

    private static boolean isResolved(List<String> brokers) {
        try {
            return !ClientUtils.parseAndValidateAddresses(brokers, "use_all_dns_ips")
                    .isEmpty();
        } catch (ConfigException e) {
            LOG.warnf("Kafka client not opened yet cause=%s", e.getMessage());
            return false;
        }
    }

    @Override
    public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        // Commits do not matter here.
    }

    @Override
    public ProducerRecord<Object, Object> onSend(ProducerRecord<Object, Object> message) {
        return message;
    }

    @Override
    public void close() {
        // There is nothing to release.
    }
}
