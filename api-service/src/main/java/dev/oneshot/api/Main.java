package dev.oneshot.api;

import dev.oneshot.api.http.LimitedConnections;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The service as a process. */
@QuarkusMain
public final class Main {

    /** Whether Quarkus refuses what is no URI by itself, with an empty answer. It reads this before anything of ours runs. */
    private static final String URI_VALIDATION_OFF = "vertx.disableURIValidation";

    private Main() {}

    /** Runs until it is told to stop. */
    public static void main(String... arguments) {
        // The edge does the same, in the envelope.
        System.setProperty(URI_VALIDATION_OFF, "true");
        System.setProperty(LimitedConnections.PROPERTY, LimitedConnections.FOUND_AS_SERVICE);
        Quarkus.run(arguments);
    }
}
