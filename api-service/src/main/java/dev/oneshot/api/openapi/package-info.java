/**
 * The description of the public API: what all operations share (server, key, header fields). The generator looks for it here;
 * {@link CommonAnswers} adds the error responses.
 */
@NullMarked
@OpenAPIDefinition(
        info =
                @Info(
                        title = "oneshot",
                        version = "1",
                        description =
                                "One-shot e-mail addresses: each receives exactly one e-mail, or sends exactly one.",
                        contact = @Contact(name = "The operator of this service"),
                        license = @License(name = "Apache-2.0", identifier = "Apache-2.0")),
        servers =
                @Server(
                        url = "{base}/v1",
                        description = "Version 1 of the API.",
                        variables =
                                @ServerVariable(
                                        name = "base",
                                        defaultValue = "http://127.0.0.1:8080",
                                        description = "Scheme, host and port of the service.")),
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
                                    name = "ETag",
                                    description = "Changes whenever the address does (RFC 9110 §8.8.3).",
                                    schema = @Schema(implementation = String.class, examples = "\"3q2-7wAAAAAAAAAA\"")),
                            @Header(
                                    name = "RateLimitPolicy",
                                    description = "The quota and its window in seconds"
                                            + " (draft-ietf-httpapi-ratelimit-headers).",
                                    schema =
                                            @Schema(implementation = String.class, examples = "\"account\";q=100;w=2")),
                            @Header(
                                    name = "RateLimit",
                                    description =
                                            "What remains of the quota, and in how many seconds it is full again.",
                                    schema = @Schema(implementation = String.class, examples = "\"account\";r=57;t=1")),
                            @Header(
                                    name = "RetryAfter",
                                    description = "Whole seconds to wait, at least 1.",
                                    schema = @Schema(implementation = Integer.class, minimum = "1", examples = "1")),
                            @Header(
                                    name = "RequestId",
                                    description =
                                            "The id of the request in the logs of the service: the client's, if it sent one.",
                                    schema = @Schema(implementation = String.class, examples = "c3f09b0e6a1d4e57"))
                        }))
package dev.oneshot.api.openapi;

import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.info.Contact;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;
import org.eclipse.microprofile.openapi.annotations.servers.Server;
import org.eclipse.microprofile.openapi.annotations.servers.ServerVariable;
import org.jspecify.annotations.NullMarked;
