package dev.oneshot.contracts.address;

import java.time.Instant;

/**
 * An address id whose signature has been verified (or that was just issued).
 *
 * @param text 24 characters of {@code a-z2-7}, lower case: the local part of the address
 * @param sizeClass the largest e-mail it takes
 * @param expiresBy the end of the minute in which it expires; from then on nobody may deliver to it. The exact second
 *     is kept by the database and is never later.
 */
public record AddressId(String text, SizeClass sizeClass, Instant expiresBy) {

    /** The length of {@link #text()} in characters. */
    public static final int LENGTH = 24;

    public AddressId {
        if (text.length() != LENGTH) {
            throw new IllegalArgumentException("an address id has " + LENGTH + " characters");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
