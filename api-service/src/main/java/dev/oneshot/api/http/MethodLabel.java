package dev.oneshot.api.http;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Bounds the label {@code method} of the metrics of HTTP: a client may invent any number of methods. */
@Singleton
class MethodLabel {

    @Produces
    @Singleton
    MeterFilter bounded() {
        return MeterFilter.replaceTagValues(
                "method", _ -> "OTHER", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    }
}
