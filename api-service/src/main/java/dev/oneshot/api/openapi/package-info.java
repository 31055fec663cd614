/**
 * The description of the interface: what holds for all of it (the key, and the answers that are no success), and so is
 * not said at each resource. The generator looks for it here; see also {@link CommonAnswers}.
 */
@NullMarked
@OpenAPIDefinition(
        info =
                @Info(
                        title = "oneshot",
                        version = "1",
                        description =
                                "One-shot e-mail addresses: each receives exactly one mail, or sends exactly one.",
                        license = @License(name = "Apache-2.0", identifier = "Apache-2.0")),
        security = @SecurityRequirement(name = "apiKey"),
        components =
                @Components(
                        securitySchemes =
                                @SecurityScheme(
                                        securitySchemeName = "apiKey",
                                        type = SecuritySchemeType.HTTP,
                                        scheme = "bearer"),
                        headers = {
                            @Header(
                                    name = "RateLimitPolicy",
                                    description = "The quota and its window in seconds"
                                            + " (draft-ietf-httpapi-ratelimit-headers).",
                                    schema =
                                            @Schema(implementation = String.class, examples = "\"account\";q=100;w=2")),
                            @Header(
                                    name = "RateLimit",
                                    description =
                                            "What remains of the quota, and in how many seconds all of it is back.",
                                    schema = @Schema(implementation = String.class, examples = "\"account\";r=57;t=1")),
                            @Header(
                                    name = "RetryAfter",
                                    description = "Whole seconds to wait, at least 1.",
                                    schema = @Schema(implementation = Integer.class, minimum = "1", examples = "1")),
                            @Header(
                                    name = "RequestId",
                                    description = "The name of the request in our logs: the caller's, if it sent one.",
                                    schema = @Schema(implementation = String.class, examples = "0f3c9b0e6a1d4e57"))
                        },
                        responses = {
                            @APIResponse(
                                    name = "Invalid",
                                    description = "The request is malformed, or a value is out of range.",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ErrorEnvelope.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "ttl_seconds",
                                                                    value = "{\"error\":{\"code\":\"VALIDATION_ERROR\","
                                                                            + "\"message\":\"ttl_seconds must be"
                                                                            + " between 60 and 86400\"}}"))),
                            @APIResponse(
                                    name = "Unauthorized",
                                    description = "No API key, or one that is not valid any more.",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ErrorEnvelope.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "key",
                                                                    value = "{\"error\":{\"code\":\"UNAUTHORIZED\","
                                                                            + "\"message\":\"the API key is not"
                                                                            + " valid\"}}"))),
                            @APIResponse(
                                    name = "QuotaExceeded",
                                    description = "The monthly allocation is used up and there are no credits.",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ErrorEnvelope.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "quota",
                                                                    value =
                                                                            "{\"error\":{\"code\":\"QUOTA_EXCEEDED\","
                                                                                    + "\"message\":\"the monthly allocation is"
                                                                                    + " used up and there are no credits\","
                                                                                    + "\"upgrade_url\":"
                                                                                    + "\"https://oneshot.example/pricing\"}}"))),
                            @APIResponse(
                                    name = "NotFound",
                                    description = "There is no such thing for this account, or not yet.",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ErrorEnvelope.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "address",
                                                                    value = "{\"error\":{\"code\":\"NOT_FOUND\","
                                                                            + "\"message\":\"there is no such"
                                                                            + " address\"}}"))),
                            @APIResponse(
                                    name = "Expired",
                                    description = "The address has expired and its data is deleted.",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ErrorEnvelope.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "expired",
                                                                    value = "{\"error\":{\"code\":\"EXPIRED\","
                                                                            + "\"message\":\"the address has expired"
                                                                            + " and its data is deleted\"}}"))),
                            @APIResponse(
                                    name = "Conflict",
                                    description = "An earlier request with this Idempotency-Key is still under way.",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ErrorEnvelope.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "conflict",
                                                                    value = "{\"error\":{\"code\":\"CONFLICT\","
                                                                            + "\"message\":\"a request with this"
                                                                            + " Idempotency-Key is still under"
                                                                            + " way\"}}"))),
                            @APIResponse(
                                    name = "Unprocessable",
                                    description = "Well-formed, but more than the plan allows, or an Idempotency-Key"
                                            + " that was used for another request.",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ErrorEnvelope.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "plan",
                                                                    value = "{\"error\":{\"code\":\"VALIDATION_ERROR\","
                                                                            + "\"message\":\"ttl_seconds must be at"
                                                                            + " most 3600 on the plan free\"}}"))),
                            @APIResponse(
                                    name = "RateLimited",
                                    description = "More requests than the plan allows.",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ErrorEnvelope.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "rate",
                                                                    value = "{\"error\":{\"code\":\"RATE_LIMITED\","
                                                                            + "\"message\":\"the plan allows 10"
                                                                            + " requests a second\"}}"))),
                            @APIResponse(
                                    name = "Error",
                                    description = "Any other failure.",
                                    content =
                                            @Content(
                                                    mediaType = "application/json",
                                                    schema = @Schema(implementation = ErrorEnvelope.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "unavailable",
                                                                    value = "{\"error\":{\"code\":\"UNAVAILABLE\","
                                                                            + "\"message\":\"the service is not"
                                                                            + " available for the moment\"}}")))
                        }))
package dev.oneshot.api.openapi;

import dev.oneshot.api.error.ErrorEnvelope;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;
import org.jspecify.annotations.NullMarked;
