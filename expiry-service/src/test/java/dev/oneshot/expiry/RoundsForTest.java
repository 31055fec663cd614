package dev.oneshot.expiry;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;

/** Rounds for tests of other packages. */
public final class RoundsForTest {

    private RoundsForTest() {}

    /** Rounds of a service that does not stop. */
    public static Rounds create() {
        return new Rounds(() -> Duration.ofMinutes(1), new SimpleMeterRegistry());
    }
}
