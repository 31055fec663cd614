package dev.oneshot.api;

import dev.oneshot.api.connection.LimitedConnections;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The service as a process. */
@QuarkusMain
public final class Main {

    /** If true, Quarkus accepts an invalid URI, which it would reject with an empty response. It reads this before our beans start. */
    private static final String URI_VALIDATION_OFF = "vertx.disableURIValidation";

    private Main() {}

    /** Runs until the process is stopped. */
    public static void main(String... arguments) {
        // RequestBounds does the same with an error body.
        System.setProperty(URI_VALIDATION_OFF, "true");
        LimitedConnections.enable();
        Quarkus.run(arguments);
    }
}
