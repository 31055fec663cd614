package dev.oneshot.contracts.management;

import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Responds with the contract's error body where a management port has no route, instead of Quarkus's page. */
@Singleton
class ManagementErrors {

    /** The order: after all routes except Quarkus's last one, and after a service's own failure handler. */
    private static final int ORDER = Integer.MAX_VALUE - 1;

    void routes(@Observes ManagementInterface management) {
        management
                .router()
                .route()
                .order(ORDER)
                .handler(request -> request.fail(404))
                .failureHandler(ManagementErrors::write);
    }

    private static void write(RoutingContext request) {
        switch (request.statusCode()) {
            case 404 -> write(request, "NOT_FOUND", "there is nothing at this path");
            case 405 -> write(request, "METHOD_NOT_ALLOWED", "this path does not support this method");
            case 406 -> write(request, "NOT_ACCEPTABLE", "metrics are text/plain or application/openmetrics-text");
            default -> request.next();
        }
    }

    private static void write(RoutingContext request, String code, String message) {
        JsonObject error = new JsonObject().put("code", code).put("message", message);
        request.response()
                .setStatusCode(request.statusCode())
                .putHeader("Content-Type", "application/json")
                .end(new JsonObject().put("error", error).encode());
    }
}
