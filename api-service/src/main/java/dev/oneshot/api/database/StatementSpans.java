package dev.oneshot.api.database;

import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Wraps statements in spans only if there is a collector, as wrapping slows requests down. */
public final class StatementSpans implements ConfigSourceInterceptor {

    @Serial
    private static final long serialVersionUID = 1;

    private static final String ENABLED = "quarkus.datasource.jdbc.telemetry.enabled";

    @Override
    public @Nullable ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        if (!name.equals(ENABLED)) {
            return context.proceed(name);
        }
        ConfigValue endpoint = context.restart("oneshot.tracing.endpoint");
        boolean isEnabled = endpoint != null
                && endpoint.getValue() != null
                && !endpoint.getValue().isEmpty();
        return ConfigValue.builder()
                .withName(ENABLED)
                .withValue(Boolean.toString(isEnabled))
                .withConfigSourceName(StatementSpans.class.getName())
                .build();
    }
}
