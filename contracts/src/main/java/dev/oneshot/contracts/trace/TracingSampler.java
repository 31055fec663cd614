package dev.oneshot.contracts.trace;

import dev.oneshot.contracts.setting.ValidSetting;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Decides which traces are recorded: none without a collector. Spans that are not recorded still have ids, for the log and for
 * {@code traceparent}.
 */
@Singleton
final class TracingSampler implements Sampler {

    private final Sampler sampler;

    TracingSampler(TracingConfig config) {
        Sampler configured = configured(config);
        config.endpoint()
                .ifPresent(endpoint -> ValidSetting.require(
                        endpoint.matches("https?://[^/?#\\s]+(/[^?#\\s]*)?"),
                        "oneshot.tracing.endpoint must be a URL such as http://collector:4318, not " + endpoint));
        ValidSetting.require(
                config.protocol().equals("grpc") || config.protocol().equals("http/protobuf"),
                "oneshot.tracing.protocol must be http/protobuf or grpc, not " + config.protocol());
        this.sampler = config.endpoint().isPresent() ? configured : Sampler.alwaysOff();
    }

    private static Sampler configured(TracingConfig config) {
        Sampler ratio =
                Sampler.traceIdRatioBased(ValidSetting.between("oneshot.tracing.ratio", config.ratio(), 0.0, 1.0));
        return switch (config.sampler()) {
            case "always_off" -> Sampler.alwaysOff();
            case "always_on" -> Sampler.alwaysOn();
            case "traceidratio" -> ratio;
            case "parentbased_always_on" -> Sampler.parentBased(Sampler.alwaysOn());
            case "parentbased_traceidratio" -> Sampler.parentBased(ratio);
            default ->
                throw new ConfigurationException("oneshot.tracing.sampler must be always_off, always_on, traceidratio,"
                        + " parentbased_always_on or parentbased_traceidratio, not " + config.sampler());
        };
    }

    @Override
    public SamplingResult shouldSample(
            Context parent, String traceId, String name, SpanKind kind, Attributes attributes, List<LinkData> links) {
        // Statements that belong to no request and no mail, such as looking for due mail, would be traces of their own.
        return kind == SpanKind.CLIENT
                        && !Span.fromContext(parent).getSpanContext().isValid()
                ? SamplingResult.drop()
                : sampler.shouldSample(parent, traceId, name, kind, attributes, links);
    }

    @Override
    public String getDescription() {
        return sampler.getDescription();
    }
}
