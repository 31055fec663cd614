package dev.oneshot.api.auth;

import java.util.List;
import java.util.Optional;

/** The credentials of {@code Authorization: Bearer …} (RFC 6750 §2.1); the scheme in any case. */
public final class BearerToken {

    private static final String SCHEME = "Bearer ";

    private BearerToken() {}

    /** Reads the header field; empty unless there is exactly one, of this scheme, with a token. */
    public static Optional<String> of(List<String> authorization) {
        if (authorization.size() != 1) {
            return Optional.empty();
        }
        String value = authorization.getFirst();
        if (!value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        String token = value.substring(SCHEME.length()).strip();
        return token.isEmpty() ? Optional.empty() : Optional.of(token);
    }
}
