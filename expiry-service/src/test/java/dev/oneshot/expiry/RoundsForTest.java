package dev.oneshot.expiry;

/** Rounds for tests of other packages. */
public final class RoundsForTest {

    private RoundsForTest() {}

    /** Rounds of a service that does not stop. */
    public static Rounds create() {
        return new Rounds(SettingsReader.read(StopConfig.class, "oneshot.expiry.stop-timeout", "1m"));
    }
}
