/**
 * The description of the interface: what holds for all of it (the key, and headers), and so is
 * not said at each resource. The generator looks for it here; see also {@link CommonAnswers}, which adds the answers that are no success.
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
                                        scheme = "bearer",
                                        description =
                                                "An API key: `oneshot_` and 56 characters of `0-9A-Za-z`, of which the last 16"
                                                        + " sign the others. Keys issued by earlier versions have 40."),
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
                                    schema = @Schema(implementation = String.class, examples = "c3f09b0e6a1d4e57"))
                        }))
package dev.oneshot.api.openapi;

import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;
import org.jspecify.annotations.NullMarked;
