package dev.oneshot.api;

import io.quarkus.test.junit.callback.QuarkusTestBeforeEachCallback;
import io.quarkus.test.junit.callback.QuarkusTestMethodContext;
import java.time.Duration;
import org.awaitility.Awaitility;

/** How long a test awaits a condition, on a busy machine. Quarkus finds it as a service and runs it before every test. */
public final class Patience implements QuarkusTestBeforeEachCallback {

    @Override
    public void beforeEach(QuarkusTestMethodContext context) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    }
}
