package dev.oneshot.api.auth;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The credentials of {@code Authorization: Bearer …} (RFC 6750 §2.1); the scheme in any case. */
public final class BearerToken {

    private static final Pattern BEARER = Pattern.compile("(?i:Bearer) (.*)");

    private BearerToken() {}

    /** Reads the header field; empty unless there is exactly one, of this scheme, with a token. */
    public static Optional<String> of(List<String> authorization) {
        Matcher bearer = BEARER.matcher(authorization.size() == 1 ? authorization.getFirst() : "");
        String token = bearer.matches() ? bearer.group(1).strip() : "";
        return token.isEmpty() ? Optional.empty() : Optional.of(token);
    }
}
