package dev.oneshot.api.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.http.Accept;
import dev.oneshot.api.http.ErrorAnswers;
import io.quarkus.vertx.http.ManagementInterface;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** The paths of the operator API; each is answered on a virtual thread of its own. */
@ApplicationScoped
class OperatorRoutes {

    private static final String ACCOUNTS = "/operator/accounts";
    private static final String SENDS = "/operator/sends";
    private static final String ACCOUNT = ACCOUNTS + "/:id";
    private static final String OPENAPI = "/operator/openapi";
    private static final String JSON = "application/json";

    private final OperatorAccess access;
    private final OperatorAccounts accounts;
    private final OperatorGrants grants;
    private final OperatorSends sends;
    private final OperatorDescription description;
    private final ErrorAnswers answers;
    private final ObjectMapper json;
    private final Vertx vertx;
    private final ExecutorService virtualThreads;

    OperatorRoutes(
            OperatorAccess access,
            OperatorAccounts accounts,
            OperatorGrants grants,
            OperatorSends sends,
            OperatorDescription description,
            ErrorAnswers answers,
            ObjectMapper json,
            Vertx vertx,
            @VirtualThreads ExecutorService virtualThreads) {
        this.access = access;
        this.accounts = accounts;
        this.grants = grants;
        this.sends = sends;
        this.description = description;
        this.answers = answers;
        this.json = json;
        this.vertx = vertx;
        this.virtualThreads = virtualThreads;
    }

    void routes(@Observes ManagementInterface management) {
        Router router = management.router();
        router.route("/operator/*").handler(access::check);
        router.post(ACCOUNTS).handler(request -> answer(request, accounts::create));
        router.get(ACCOUNTS).handler(request -> answer(request, accounts::list));
        router.get(ACCOUNT).handler(request -> answer(request, accounts::get));
        router.patch(ACCOUNT).handler(request -> answer(request, accounts::change));
        router.delete(ACCOUNT).handler(request -> answer(request, grants::delete));
        router.post(ACCOUNT + "/credits").handler(request -> answer(request, grants::giveCredits));
        router.post(ACCOUNT + "/api-key").handler(request -> answer(request, grants::replaceKey));
        router.get(SENDS).handler(request -> answer(request, sends::list));
        router.get(OPENAPI)
                .handler(request -> answer(request, described -> new Answer(200, new RawValue(description.json()))));
        allowOnly(router, OPENAPI, HttpMethod.GET);
        allowOnly(router, SENDS, HttpMethod.GET);
        allowOnly(router, ACCOUNTS, HttpMethod.GET, HttpMethod.POST);
        allowOnly(router, ACCOUNT, HttpMethod.DELETE, HttpMethod.GET, HttpMethod.PATCH);
        allowOnly(router, ACCOUNT + "/credits", HttpMethod.POST);
        allowOnly(router, ACCOUNT + "/api-key", HttpMethod.POST);
    }

    /** An answer of the operator API; its body is written as JSON, if there is one. */
    record Answer(int status, @Nullable Object body) {}

    @FunctionalInterface
    private interface Operation {
        Answer on(RoutingContext request);
    }

    private void allowOnly(Router router, String path, HttpMethod... methods) {
        List<String> allowed = List.of(methods).stream().map(HttpMethod::name).toList();
        router.route(path).handler(request -> answers.refuse(request, ApiError.methodNotAllowed(allowed)));
    }

    private void answer(RoutingContext request, Operation operation) {
        if (!Accept.allowsJson(request)) {
            answers.refuse(request, ApiError.notAcceptable(JSON));
            return;
        }
        Context context = vertx.getOrCreateContext();
        virtualThreads.execute(() -> {
            try {
                Answer answer = operation.on(request);
                String body = answer.body() == null ? null : json.writeValueAsString(answer.body());
                context.runOnContext(now -> write(request, answer.status(), body));
            } catch (RuntimeException | JsonProcessingException e) {
                context.runOnContext(now -> answers.fail(request, e));
            }
        });
    }

    private static void write(RoutingContext request, int status, @Nullable String body) {
        HttpServerResponse response = request.response().setStatusCode(status).putHeader("Cache-Control", "no-store");
        if (body == null) {
            response.end();
        } else {
            response.putHeader("Content-Type", JSON).end(body);
        }
    }
}
