package dev.oneshot.contracts.trace;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** Where spans go, and which. */
@ConfigMapping(prefix = "oneshot.tracing")
public interface TracingConfig {

    /** The URL of an OTLP collector, such as {@code http://collector:4318}. Without one, no span is recorded. */
    Optional<String> endpoint();

    /** What the collector speaks: {@code http/protobuf}, usually on port 4318, or {@code grpc}, usually on 4317. */
    @WithDefault("http/protobuf")
    String protocol();

    /** Fields for the collector, such as its key: {@code name=value}, separated by commas. */
    Optional<String> headers();

    /**
     * Which traces are recorded, as OpenTelemetry names it: {@code always_off}, {@code always_on}, {@code traceidratio}, {@code
     * parentbased_always_on} or {@code parentbased_traceidratio}. With the last two, a client that sends a {@code traceparent}
     * decides for its request. With {@code always_off}, requests have no spans, just as without a collector.
     */
    @WithDefault("parentbased_traceidratio")
    String sampler();

    /** The part of all traces that {@code traceidratio} records, from 0 to 1. */
    @WithDefault("1")
    double ratio();
}
