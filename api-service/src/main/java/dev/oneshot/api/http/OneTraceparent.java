package dev.oneshot.api.http;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.quarkus.opentelemetry.runtime.propagation.TextMapPropagatorCustomizer;
import io.vertx.core.spi.observability.HttpRequest;
import jakarta.inject.Singleton;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Continues the trace of a client that sends one {@code traceparent}. If there are several, none is valid (W3C Trace Context §3.2);
 * OpenTelemetry would take the first.
 */
record OneTraceparent(TextMapPropagator propagator) implements TextMapPropagator {

    @Singleton
    static final class Customizer implements TextMapPropagatorCustomizer {

        @Override
        public TextMapPropagator customize(TextMapPropagatorCustomizer.Context context) {
            return new OneTraceparent(context.propagator());
        }
    }

    @Override
    public Collection<String> fields() {
        return propagator.fields();
    }

    @Override
    public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {
        propagator.inject(context, carrier, setter);
    }

    @Override
    public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
        return carrier instanceof HttpRequest request
                        && request.headers().getAll("traceparent").size() > 1
                ? context
                : propagator.extract(context, carrier, getter);
    }
}
