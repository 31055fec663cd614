package dev.oneshot.api.kafka;

import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** Kafka's admin client. Its first use opens it, as at the start the names of the brokers may not resolve. */
class KafkaAdmin {

    @Produces
    @ApplicationScoped
    Admin open(@Identifier("default-kafka-broker") Map<String, Object> settings) {
        return Admin.create(new HashMap<>(settings));
    }

    void close(@Disposes Admin admin) {
        admin.close(Duration.ZERO);
    }
}
