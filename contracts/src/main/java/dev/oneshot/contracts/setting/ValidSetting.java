package dev.oneshot.contracts.setting;

import java.util.function.Supplier;

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

    /**
     * Checks both bounds of a value, and returns it.
     *
     * @param key the name of the setting
     * @throws IllegalArgumentException if the value is below {@code min} or above {@code max}
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
     * @throws IllegalArgumentException if the value is below {@code min}
     */
    public static <T extends Comparable<T>> T atLeast(String key, T value, T min) {
        require(value.compareTo(min) >= 0, "%s must be at least %s, not %s".formatted(key, min, value));
        return value;
    }

    /**
     * Makes what a setting describes.
     *
     * @param key the name of the setting
     * @throws IllegalArgumentException if that fails with one; its message then begins with the key
     */
    public static <T> T made(String key, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }
}
