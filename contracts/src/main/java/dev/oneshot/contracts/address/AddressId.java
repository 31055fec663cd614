package dev.oneshot.contracts.address;

import java.time.Instant;

/**
 * An address id whose signature has been verified (or that was just issued).
 *
 * @param text 24 characters of {@code a-z2-7}, lower case: the local part of the address
 * @param takesMail true for an address that receives, false for one that sends
 * @param sizeClass the largest e-mail it takes, and the largest attachment
 * @param expiresBy when it expires, a whole second; from then on it takes no mail
 */
public record AddressId(String text, boolean takesMail, SizeClass sizeClass, Instant expiresBy) {

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
