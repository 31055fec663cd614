package dev.oneshot.contracts.setting;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.function.Supplier;

/** Stops the start of a service, with one line in its log, when a setting is out of its bounds. */
public final class ValidSetting {

    private ValidSetting() {}

    /**
     * Checks a bound.
     *
     * @param message names the key of the setting and its bounds
     * @throws ConfigurationException with the message, unless the bound holds
     */
    public static void require(boolean holds, String message) {
        if (!holds) {
            throw new ConfigurationException(message);
        }
    }

    /**
     * Checks both bounds of a value, and returns it.
     *
     * @param key the name of the setting
     * @throws ConfigurationException if the value is below {@code min} or above {@code max}
     */
    public static <T extends Comparable<T>> T between(String key, T value, T min, T max) {
        require(
                value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                "%s must be between %s and %s, not %s".formatted(key, min, max, value));
        return value;
    }

    /**
     * Checks the lower bound of a value, and returns it.
     *
     * @param key the name of the setting
     * @throws ConfigurationException if the value is below {@code min}
     */
    public static <T extends Comparable<T>> T atLeast(String key, T value, T min) {
        require(value.compareTo(min) >= 0, "%s must be at least %s, not %s".formatted(key, min, value));
        return value;
    }

    /**
     * Creates an object from the text of a setting.
     *
     * @param key the name of the setting
     * @throws ConfigurationException if that fails with an IllegalArgumentException; the message begins with the key
     */
    public static <T> T made(String key, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            // Quarkus would print a cause with its stack trace.
            throw new ConfigurationException(key + ": " + e.getMessage());
        }
    }
}
