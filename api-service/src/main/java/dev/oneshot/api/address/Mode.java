package dev.oneshot.api.address;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.oneshot.api.error.ApiException;
import java.util.Arrays;
import java.util.Locale;

/** Whether an address receives or sends. */
public enum Mode {
    /** It waits for one mail. */
    RECEIVE,
    /** One mail was sent from it. */
    SEND;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** As the contract and the database write it. */
    @JsonValue
    public String text() {
        return text;
    }

    /**
     * The mode with this text.
     *
     * @throws ApiException 400 if there is none
     */
    public static Mode parse(String text) {
        return Arrays.stream(values())
                .filter(mode -> mode.text.equals(text))
                .findFirst()
                .orElseThrow(() -> ApiException.invalid("mode must be receive or send"));
    }
}
