package dev.oneshot.client;

import org.jspecify.annotations.Nullable;

/**
 * Which addresses a list has: {@code AddressFilter.ALL.withLabel("sign-up").withStatus(Status.RECEIVED)}.
 *
 * @param status only addresses in this state; null for any
 * @param label only addresses with exactly this label; null for any
 * @param mode only addresses of this mode; null for any
 */
public record AddressFilter(
        @Nullable Status status,
        @Nullable String label,
        @Nullable Mode mode) {

    /** Every address of the account. */
    public static final AddressFilter ALL = new AddressFilter(null, null, null);

    /** The same, in this state only. */
    public AddressFilter withStatus(Status only) {
        return new AddressFilter(only, label, mode);
    }

    /** The same, with this label only. */
    public AddressFilter withLabel(String only) {
        return new AddressFilter(status, only, mode);
    }

    /** The same, of this mode only. */
    public AddressFilter withMode(Mode only) {
        return new AddressFilter(status, label, only);
    }
}
