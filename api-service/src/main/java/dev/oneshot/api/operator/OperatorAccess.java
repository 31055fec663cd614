package dev.oneshot.api.operator;

import dev.oneshot.api.auth.BearerToken;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.http.ErrorResponses;
import dev.oneshot.contracts.setting.ValidSetting;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** Requires the operator's token for the operator API, compared in constant time. */
@ApplicationScoped
class OperatorAccess {

    private static final int TOKEN_LENGTH_MIN = 16;
    private static final ApiError NOT_FOUND = ApiError.of(ApiError.Kind.NOT_FOUND, "there is nothing at this path");
    private static final ApiError REFUSED =
            ApiError.unauthorized("the header Authorization must be: Bearer <operator token>");

    private final ErrorResponses errors;
    private final Optional<byte[]> token;

    OperatorAccess(OperatorConfig config, ErrorResponses errors) {
        this.errors = errors;
        this.token = config.token().map(text -> {
            ValidSetting.require(
                    text.length() >= TOKEN_LENGTH_MIN,
                    "oneshot.operator.token must have at least " + TOKEN_LENGTH_MIN + " characters");
            return text.getBytes(StandardCharsets.UTF_8);
        });
    }

    void check(RoutingContext request) {
        if (token.isEmpty()) {
            errors.refuse(request, NOT_FOUND);
        } else if (!isOperators(request, token.get())) {
            errors.refuse(request, REFUSED);
        } else if (!request.normalizedPath().equals(request.request().path())) {
            // The router takes /operator/accounts/%2e for /operator/accounts.
            errors.refuse(request, NOT_FOUND);
        } else {
            request.next();
        }
    }

    private static boolean isOperators(RoutingContext request, byte[] token) {
        return BearerToken.of(request.request().headers().getAll("Authorization"))
                .map(sent -> MessageDigest.isEqual(sent.getBytes(StandardCharsets.UTF_8), token))
                .orElse(false);
    }
}
