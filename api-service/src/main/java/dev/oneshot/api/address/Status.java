package dev.oneshot.api.address;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.oneshot.api.error.ApiException;
import java.util.Arrays;
import java.util.Locale;

/** Where an address is in its life. */
public enum Status {
    /** No mail yet. */
    WAITING,
    /** It has its one mail. */
    RECEIVED,
    /** It has expired. */
    EXPIRED,
    /** Its one mail was sent. */
    SENT;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** As the contract and the database write it. */
    @JsonValue
    public String text() {
        return text;
    }

    /** The status of a new address. */
    static Status ofNew(Mode mode) {
        return mode == Mode.RECEIVE ? WAITING : SENT;
    }

    /**
     * The status with this text.
     *
     * @throws ApiException 400 if there is none
     */
    public static Status parse(String text) {
        return Arrays.stream(values())
                .filter(status -> status.text.equals(text))
                .findFirst()
                .orElseThrow(() -> ApiException.invalid("status must be one of waiting, received, expired, sent"));
    }
}
