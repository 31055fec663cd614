package dev.oneshot.api.address;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.sending.SendRequest;
import org.jspecify.annotations.Nullable;

/** The body of POST /addresses, with JSON's types and unchecked values. */
record CreateAddress(
        @Nullable Long ttlSeconds,
        @Nullable String label,
        @Nullable String mode,
        @Nullable SendRequest send) {

    private static final long TTL_SECONDS_MIN = 60;
    private static final long TTL_SECONDS_MAX = 86_400;

    /**
     * Checks the values, which the plan may restrict further.
     *
     * @throws ApiException 400, for the first member that is invalid
     */
    NewAddress checked() {
        Mode wanted = mode == null ? Mode.RECEIVE : Mode.parse(mode);
        if (ttlSeconds != null && (ttlSeconds < TTL_SECONDS_MIN || ttlSeconds > TTL_SECONDS_MAX)) {
            throw ApiException.invalid("ttl_seconds must be between " + TTL_SECONDS_MIN + " and " + TTL_SECONDS_MAX);
        }
        return new NewAddress(
                ttlSeconds,
                label == null ? null : new Label(label),
                wanted == Mode.SEND ? SendRequest.checked(send) : null);
    }
}
