package dev.oneshot.api.address;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** Where an address is in its life. */
public enum Status {
    /** No mail yet. */
    WAITING("waiting"),
    /** It has its one mail. */
    RECEIVED("received"),
    /** Its time has passed. */
    EXPIRED("expired"),
    /** Its one mail was sent. */
    SENT("sent");

    private final String text;

    Status(String text) {
        this.text = text;
    }

    /** As the contract and the database write it. */
    @JsonValue
    public String text() {
        return text;
    }

    /** The status that is written so. */
    public static Optional<Status> of(String text) {
        return Arrays.stream(values())
                .filter(status -> status.text().equals(text))
                .findFirst();
    }
}
