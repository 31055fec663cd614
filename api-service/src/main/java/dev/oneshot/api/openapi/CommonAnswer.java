package dev.oneshot.api.openapi;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ErrorEnvelope;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * An error response, which the description has once and refers to by name.
 *
 * @param component the name among the components
 * @param description when it is sent
 * @param example an example
 */
record CommonAnswer(String component, String description, ApiError example) {

    static final CommonAnswer INVALID = new CommonAnswer(
            "Invalid",
            "The request is malformed, or a value is out of range.",
            ApiError.invalid("ttl_seconds must be between 60 and 86400"));
    static final CommonAnswer UNAUTHORIZED = new CommonAnswer(
            "Unauthorized",
            "The API key is missing, invalid or revoked.",
            ApiError.unauthorized("the API key is not valid"));
    static final CommonAnswer QUOTA_EXCEEDED = new CommonAnswer(
            "QuotaExceeded",
            "The monthly allocation is used up and there are no credits.",
            ApiError.quotaExceeded(
                    "the monthly allocation is used up and there are no credits",
                    URI.create("https://oneshot.example/pricing")));
    static final CommonAnswer NOT_FOUND = new CommonAnswer(
            "NotFound",
            "This account has no such address, e-mail or attachment, or not yet.",
            ApiError.notFound("there is no such address"));
    static final CommonAnswer EXPIRED = new CommonAnswer(
            "Expired",
            "The address has expired and its data is deleted.",
            ApiError.expired("the address has expired and its data is deleted"));
    static final CommonAnswer CONFLICT = new CommonAnswer(
            "Conflict",
            "An earlier request with this Idempotency-Key is still running.",
            ApiError.conflict("a request with this Idempotency-Key is still under way", Duration.ofSeconds(1)));
    static final CommonAnswer UNPROCESSABLE = new CommonAnswer(
            "Unprocessable",
            "More than the plan allows, or an Idempotency-Key that was used for another request.",
            ApiError.unprocessable("ttl_seconds must be at most 3600 on the plan free"));
    static final CommonAnswer RATE_LIMITED = new CommonAnswer(
            "RateLimited",
            "More requests than the plan allows.",
            ApiError.rateLimited("the plan allows 10 requests a second", Duration.ofSeconds(1)));
    static final CommonAnswer ANY_OTHER =
            new CommonAnswer("Error", "Any other failure.", ApiError.unavailable(Duration.ofSeconds(1)));

    /** All of them. */
    static final List<CommonAnswer> ALL = List.of(
            INVALID,
            UNAUTHORIZED,
            QUOTA_EXCEEDED,
            NOT_FOUND,
            EXPIRED,
            CONFLICT,
            UNPROCESSABLE,
            RATE_LIMITED,
            ANY_OTHER);

    /** The status, or {@code default} for all that are not described. */
    String status() {
        return equals(ANY_OTHER) ? "default" : Integer.toString(example.status());
    }

    /** The response, without header fields. */
    APIResponse describe() {
        Schema envelope = OASFactory.createSchema().ref("Error");
        return OASFactory.createAPIResponse()
                .description(description)
                .content(OASFactory.createContent()
                        .addMediaType(
                                "application/json",
                                OASFactory.createMediaType()
                                        .schema(envelope)
                                        .addExample(
                                                example.code(),
                                                OASFactory.createExample().value(body()))));
    }

    private Map<String, Object> body() {
        ErrorEnvelope.Detail error = ErrorEnvelope.of(example).error();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("code", error.code());
        members.put("message", error.message());
        if (error.upgradeUrl() != null) {
            members.put("upgrade_url", error.upgradeUrl());
        }
        return Map.of("error", members);
    }
}
