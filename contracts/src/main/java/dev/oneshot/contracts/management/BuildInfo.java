package dev.oneshot.contracts.management;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The metric {@code oneshot_build_info}: always 1, with the version as its label. */
@Singleton
class BuildInfo implements MeterBinder {

    private final String version;

    BuildInfo(@ConfigProperty(name = "quarkus.application.version") String version) {
        this.version = version;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("oneshot.build.info", () -> 1)
                .description("Always 1; the label is the version that runs")
                .tag("version", version)
                .register(registry);
    }
}
