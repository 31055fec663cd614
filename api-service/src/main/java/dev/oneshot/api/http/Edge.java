package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ErrorTranslation;
import io.quarkus.vertx.http.ManagementInterface;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** What happens to every request before and after the resources: ids, and the envelope where nobody else answered. */
@ApplicationScoped
class Edge {

    /** Order of the filters: a higher one is earlier. Authentication is at {@link Authentication}'s. */
    private static final int REQUEST_ID_PRIORITY = 10_000;

    private static final int LAST = Integer.MAX_VALUE;

    private final ErrorAnswers answers;

    Edge(ErrorAnswers answers) {
        this.answers = answers;
    }

    void filters(@Observes Filters filters) {
        filters.register(this::receive, REQUEST_ID_PRIORITY);
    }

    void routes(@Observes Router router) {
        router.route().order(LAST).handler(this::nothingHere);
        router.route().order(Integer.MIN_VALUE).failureHandler(this::failed);
    }

    void managementRoutes(@Observes ManagementInterface management) {
        management
                .router()
                .route()
                .order(Integer.MIN_VALUE)
                .handler(this::receive)
                .failureHandler(this::failed);
        management.router().route().order(LAST).handler(this::nothingHere);
    }

    private void receive(RoutingContext request) {
        RequestId.assign(request);
        RequestEnd.watch(request);
        request.next();
    }

    private void nothingHere(RoutingContext request) {
        answers.refuse(request, new ApiError.NotFound("there is nothing at this path"));
    }

    private void failed(RoutingContext request) {
        Throwable failure = request.failure();
        if (failure != null && request.statusCode() == 500) {
            answers.fail(request, failure);
        } else {
            Throwable cause = failure == null ? new IllegalStateException("status " + request.statusCode()) : failure;
            answers.refuse(request, ErrorTranslation.ofStatus(request.statusCode(), cause, RequestId.of(request)));
        }
    }
}
