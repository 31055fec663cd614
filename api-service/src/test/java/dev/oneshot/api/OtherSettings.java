package dev.oneshot.api;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.time.Duration;
import java.util.Map;

/** All settings in which some tests differ from the others. One profile, as each starts the service again. */
public final class OtherSettings implements QuarkusTestProfile {

    /** An origin whose pages may use the API. */
    public static final String ORIGIN = "https://app.example.com";

    /** Long enough for a busy machine, where a thread may pause for seconds. */
    public static final Duration POLL_INTERVAL = Duration.ofSeconds(10);

    @Override
    public Map<String, String> getConfigOverrides() {
        String channel = "mp.messaging.incoming.mail-inbound.";
        return Map.of(
                "oneshot.http.cors-origins",
                ORIGIN + ",http://localhost:5173,http://[::1]:3000",
                "oneshot.console.enabled",
                "false",
                // Kafka's timeouts are shorter, so that an outage of seconds is like one of minutes. Two consumers.
                channel + "max.poll.interval.ms",
                String.valueOf(POLL_INTERVAL.toMillis()),
                channel + "concurrency",
                "2");
    }
}
