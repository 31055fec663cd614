package dev.oneshot.api.http;

import dev.oneshot.contracts.trace.TraceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.quarkus.opentelemetry.runtime.QuarkusContextStorage;
import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.io.Serial;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets Quarkus make spans for requests and statements only if they may be recorded: if there is a collector, and the sampler is not
 * {@code always_off}. Even unrecorded, they would cost a poll 6 % of its processor time. Without spans, a request only gets trace
 * ids.
 */
public final class RequestSpans implements ConfigSourceInterceptor {

    @Serial
    private static final long serialVersionUID = 1;

    private static final Set<String> ENABLED =
            Set.of("quarkus.otel.instrument.vertx-http", "quarkus.datasource.jdbc.telemetry.enabled");

    @Override
    public @Nullable ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        if (!ENABLED.contains(name)) {
            return context.proceed(name);
        }
        boolean isEnabled = !valueOf(context, "oneshot.tracing.endpoint").isEmpty()
                && !valueOf(context, "oneshot.tracing.sampler").equals("always_off");
        return ConfigValue.builder()
                .withName(name)
                .withValue(Boolean.toString(isEnabled))
                .withConfigSourceName(RequestSpans.class.getName())
                .build();
    }

    private static String valueOf(ConfigSourceInterceptorContext context, String name) {
        ConfigValue set = context.restart(name);
        return set == null || set.getValue() == null ? "" : set.getValue();
    }

    /** Gives a request without a span the ids of a trace. Call this on its event loop. */
    static void begin(HttpServerRequest request) {
        if (Span.current().getSpanContext().isValid()) {
            return;
        }
        List<String> sent = request.headers().getAll(TraceContext.HEADER);
        Context parent = TraceContext.parse(sent.size() == 1 ? sent.getFirst() : null);
        // The context of the request ends with it.
        var _ = QuarkusContextStorage.INSTANCE.attach(Vertx.currentContext(), TraceContext.withoutSpan(parent));
    }
}
