package dev.oneshot.api.operator;

import dev.oneshot.api.body.StrictJson;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/** Reads requests to the operator API, and records the changes that they make. */
@ApplicationScoped
class OperatorRequests {

    private static final Logger AUDIT = Logger.getLogger("dev.oneshot.audit");
    private static final int TEXT_CHARACTERS_MAX = 255;
    private static final int BODY_BYTES_MAX = 64 * 1024;
    /** {@link UUID#fromString} also accepts short forms, which would give an account several paths. */
    private static final Pattern ID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private final StrictJson json;

    OperatorRequests(StrictJson json) {
        this.json = json;
    }

    /**
     * The body.
     *
     * @throws ApiException 400, 413 or 415
     */
    <T> T body(RoutingContext request, Class<T> type) {
        Buffer body = request.body().buffer();
        byte[] bytes = body == null ? new byte[0] : body.getBytes();
        if (bytes.length > BODY_BYTES_MAX) {
            throw ApiException.payloadTooLarge(BODY_BYTES_MAX);
        }
        try {
            return json.read(request, new ByteArrayInputStream(bytes), type);
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory failed", e);
        }
    }

    /**
     * A text that people read.
     *
     * @throws ApiException 400 if it is blank, longer than 255 characters or has a control character
     */
    static String checkedText(String member, String text) {
        boolean sane = !text.isBlank()
                && text.codePointCount(0, text.length()) <= TEXT_CHARACTERS_MAX
                && text.codePoints().noneMatch(Character::isISOControl);
        if (!sane) {
            throw ApiException.invalid(member + " must have between 1 and " + TEXT_CHARACTERS_MAX
                    + " characters, not all blank, none of them a control character");
        }
        return text;
    }

    /**
     * The account in the path.
     *
     * @throws ApiException 404 if no account can have this id
     */
    static UUID id(RoutingContext request) {
        String text = request.pathParam("id");
        if (!ID.matcher(text).matches()) {
            throw noSuchAccount();
        }
        return UUID.fromString(text);
    }

    /**
     * Logs a change. Call it after the commit.
     *
     * @param details further {@code name=value} facts, or empty; never an API key or part of a mail
     */
    static void audit(String action, UUID accountId, String details) {
        AUDIT.info("audit operator action=%s accountId=%s %s"
                .formatted(action, accountId, details)
                .strip());
    }

    /** The error for an id that no account has. */
    static ApiException noSuchAccount() {
        return ApiException.of(Kind.NOT_FOUND, "there is no such account");
    }
}
