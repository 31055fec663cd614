package dev.oneshot.api.http;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;

/** Bounds the label {@code method} of the metrics of HTTP: a client may invent any number of methods. */
@Singleton
class MethodLabel {

    private static final Set<String> KNOWN = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    @Produces
    @Singleton
    MeterFilter bounded() {
        return MeterFilter.replaceTagValues("method", method -> KNOWN.contains(method) ? method : "OTHER");
    }
}
