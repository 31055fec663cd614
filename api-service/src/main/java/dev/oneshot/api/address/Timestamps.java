package dev.oneshot.api.address;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as the contract writes them: {@code YYYY-MM-DDThh:mm:ssZ}. */
public final class Timestamps {

    private Timestamps() {}

    /** Writes an instant, cut to the second. */
    public static String text(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The first whole second that is not before this instant. */
    static Instant roundedUp(Instant instant) {
        Instant second = instant.truncatedTo(ChronoUnit.SECONDS);
        return second.equals(instant) ? second : second.plusSeconds(1);
    }
}
