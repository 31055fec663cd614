package dev.oneshot.api.operator;

import com.fasterxml.jackson.databind.util.RawValue;
import dev.oneshot.api.auth.BearerToken;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.ClassPathFile;
import dev.oneshot.api.http.RefusedTypes;
import dev.oneshot.api.request.RequestCheck;
import dev.oneshot.api.request.RequestPath;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.vertx.http.ManagementInterface;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.config.ConfigMapping;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;
import io.vertx.ext.web.MIMEHeader;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The paths of the operator API, which require its token; each request runs on a virtual thread of its own. */
@ApplicationScoped
public class OperatorRoutes {

    private static final String ACCOUNTS = "/operator/accounts";
    private static final String ACCOUNT = ACCOUNTS + "/:id";
    private static final int TOKEN_LENGTH_MIN = 16;
    private static final String NO_TOKEN = "the header Authorization must be: Bearer <operator token>";

    private final Optional<byte[]> token;
    private final OperatorAccounts accounts;
    private final OperatorGrants grants;
    private final OperatorSends sends;
    /** Written by hand; tests compare every response with it. */
    private final String description =
            ClassPathFile.read(OperatorRoutes.class, "openapi.json").toString();

    private final ExecutorService virtualThreads;

    /** Access to the operator API. */
    @ConfigMapping(prefix = "oneshot.operator")
    public interface Config {

        /** The bearer token of the operator, at least 16 characters; without one the operator API does not exist. */
        Optional<String> token();
    }

    OperatorRoutes(
            Config config,
            OperatorAccounts accounts,
            OperatorGrants grants,
            OperatorSends sends,
            @VirtualThreads ExecutorService virtualThreads) {
        this.token = config.token().map(OperatorRoutes::checked);
        this.accounts = accounts;
        this.grants = grants;
        this.sends = sends;
        this.virtualThreads = virtualThreads;
    }

    /** Quarkus reads the body before, and rejects a long one. Without the token, the client must get 401 instead. */
    void token(@Observes @Priority(RequestCheck.MANAGEMENT_TOKEN) ManagementInterface management) {
        management
                .router()
                .route()
                .order(Integer.MIN_VALUE)
                .handler(request -> {
                    if (lacksToken(request)) {
                        throw ApiException.unauthorized(NO_TOKEN);
                    }
                    request.next();
                })
                .failureHandler(request -> {
                    // The new failure runs this handler again.
                    if (lacksToken(request) && !(request.failure() instanceof ApiException)) {
                        request.fail(ApiException.unauthorized(NO_TOKEN));
                    } else {
                        request.next();
                    }
                });
    }

    void routes(@Observes ManagementInterface management) {
        Router router = management.router();
        router.route("/operator/*").handler(this::requireToken);
        offer(router, ACCOUNTS, Map.of(HttpMethod.GET, accounts::list, HttpMethod.POST, accounts::create));
        offer(
                router,
                ACCOUNT,
                Map.of(
                        HttpMethod.GET, accounts::get,
                        HttpMethod.PATCH, accounts::change,
                        HttpMethod.DELETE, grants::delete));
        offer(router, ACCOUNT + "/credits", Map.of(HttpMethod.POST, grants::giveCredits));
        offer(router, ACCOUNT + "/api-key", Map.of(HttpMethod.POST, grants::replaceKey));
        offer(router, "/operator/sends", Map.of(HttpMethod.GET, sends::list));
        offer(router, "/operator/openapi", Map.of(HttpMethod.GET, _ -> new RawValue(description)));
    }

    private static byte[] checked(String token) {
        ValidSetting.require(
                token.length() >= TOKEN_LENGTH_MIN,
                "oneshot.operator.token must have at least " + TOKEN_LENGTH_MIN + " characters");
        return token.getBytes(StandardCharsets.UTF_8);
    }

    private boolean lacksToken(RoutingContext request) {
        return token.isPresent()
                && RequestPath.of(request.request()).startsWith("/operator/")
                && !hasToken(request, token.get());
    }

    /** Checks the token again, as the router also takes {@code /x/../operator/accounts} for one of these paths. */
    private void requireToken(RoutingContext request) {
        if (token.isEmpty()) {
            request.fail(404);
        } else if (!hasToken(request, token.get())) {
            request.fail(ApiException.unauthorized(NO_TOKEN));
        } else if (!request.normalizedPath().equals(RequestPath.of(request.request()))) {
            // The router takes /operator/accounts/%2e for /operator/accounts.
            request.fail(404);
        } else {
            request.next();
        }
    }

    /** Compares in constant time. */
    private static boolean hasToken(RoutingContext request, byte[] token) {
        return BearerToken.of(request.request().headers().getAll("Authorization"))
                .map(sent -> MessageDigest.isEqual(sent.getBytes(StandardCharsets.UTF_8), token))
                .orElse(false);
    }

    /** @param operations return the body of a response, or null for none */
    private void offer(Router router, String path, Map<HttpMethod, Function<RoutingContext, Object>> operations) {
        operations.forEach(
                (method, operation) -> router.route(method, path).handler(request -> respond(request, operation)));
        List<String> allowed =
                operations.keySet().stream().map(HttpMethod::name).sorted().toList();
        router.route(path).handler(request -> request.fail(ApiException.methodNotAllowed(allowed)));
    }

    private void respond(RoutingContext request, Function<RoutingContext, Object> operation) {
        if (!acceptsJson(request)) {
            throw ApiException.notAcceptable(MediaType.APPLICATION_JSON);
        }
        Context context = request.vertx().getOrCreateContext();
        virtualThreads.execute(() -> {
            try {
                Object body = operation.apply(request);
                String text = body == null ? null : Json.encode(body);
                context.runOnContext(now -> write(request, text));
            } catch (RuntimeException e) {
                context.runOnContext(now -> request.fail(e));
            }
        });
    }

    private static boolean acceptsJson(RoutingContext request) {
        List<MIMEHeader> ranges = request.parsedHeaders().accept();
        boolean isNamed = ranges.isEmpty()
                || ranges.stream()
                        .anyMatch(range -> range.weight() > 0
                                && MediaType.APPLICATION_JSON_TYPE.isCompatible(
                                        new MediaType(range.component(), range.subComponent())));
        return isNamed && !RefusedTypes.includeJson(request.request());
    }

    private static void write(RoutingContext request, @Nullable String body) {
        HttpServerResponse response = request.response().putHeader("Cache-Control", "no-store");
        if (body == null) {
            response.setStatusCode(204).end();
        } else {
            response.setStatusCode(request.request().method().equals(HttpMethod.POST) ? 201 : 200)
                    .putHeader("Content-Type", MediaType.APPLICATION_JSON)
                    .end(body);
        }
    }
}
