package dev.oneshot.api.body;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.Serial;

/** A value of the right JSON type that is invalid; the error message has its path and {@code complaint}. */
public final class UnreadableValueException extends MismatchedInputException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** @param complaint follows the path: {@code is not valid base64} */
    public UnreadableValueException(JsonParser parser, String complaint) {
        super(parser, complaint);
    }
}
