package dev.oneshot.contracts.setting;

/** Stops the start of a service when a setting is out of its bounds. */
public final class ValidSetting {

    private ValidSetting() {}

    /**
     * Checks a bound.
     *
     * @param message names the key of the setting and its bounds
     * @throws IllegalArgumentException with the message, unless the bound holds
     */
    public static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
