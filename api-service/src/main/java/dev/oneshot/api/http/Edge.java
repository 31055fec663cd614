package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ErrorTranslation;
import io.quarkus.vertx.http.ManagementInterface;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What happens to every request before and after the resources: ids, and the envelope where nobody else answered. */
@ApplicationScoped
class Edge {

    /** Order of the filters: a higher one is earlier. Authentication is at {@link Authentication}'s. */
    private static final int REQUEST_ID_PRIORITY = 10_000;

    /** After everything that may refuse a caller. */
    private static final int BOUNDS_PRIORITY = 200;

    /** Right before the resources. */
    private static final int OFFERED_PRIORITY = 100;

    private static final String VERSIONED = "/v1";

    private static final int LAST = Integer.MAX_VALUE;

    private final ErrorAnswers answers;
    private final OfferedPaths offered;
    private final RequestBounds bounds;

    Edge(ErrorAnswers answers, OfferedPaths offered, RequestBounds bounds) {
        this.answers = answers;
        this.offered = offered;
        this.bounds = bounds;
    }

    void filters(@Observes Filters filters) {
        filters.register(this::receive, REQUEST_ID_PRIORITY);
        filters.register(this::requireInBounds, BOUNDS_PRIORITY);
        filters.register(this::requireOffered, OFFERED_PRIORITY);
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
                .handler(this::requireInBounds)
                .failureHandler(this::failed);
        // Behind the routes' own failure handlers.
        management.router().route().order(LAST - 1).failureHandler(this::failed);
        management.router().route().order(LAST).handler(this::nothingHere);
    }

    private void receive(RoutingContext request) {
        if (RequestEnd.isClosing(request) || !ConnectionLimits.begin(request)) {
            // What follows a body that is not read may be part of it.
            var _ = request.request().connection().close();
            return;
        }
        begin(request);
        Optional<ApiError> unframed = bounds.checkFraming(request.request());
        if (unframed.isPresent()) {
            answers.refuse(request, unframed.get());
        } else {
            request.next();
        }
    }

    private static void begin(RoutingContext request) {
        RequestTrace.begin(request, RequestId.assign(request));
        RequestEnd.watch(request);
    }

    private void requireInBounds(RoutingContext request) {
        Optional<ApiError> outOfBounds = bounds.check(request.request());
        if (outOfBounds.isPresent()) {
            answers.refuse(request, outOfBounds.get());
        } else {
            request.next();
        }
    }

    /** JAX-RS knows 404 and 405 as well, but neither with Allow nor alike for all resources. */
    private void requireOffered(RoutingContext request) {
        String path = request.request().path();
        if (path == null || !path.startsWith(VERSIONED)) {
            requireAsRouted(request, path);
            return;
        }
        String method = request.request().method().name();
        OfferedPaths.Offer offer = offered.at(path);
        if (offer == null) {
            nothingHere(request);
        } else if (!offer.methods().contains(method)) {
            answers.refuse(request, ApiError.methodNotAllowed(offer.methods()));
        } else if (method.equals("OPTIONS")) {
            request.response()
                    .putHeader("Allow", String.join(", ", offer.methods()))
                    .setStatusCode(204)
                    .end();
        } else {
            request.next();
        }
    }

    /** The router takes {@code //v1} and {@code /x/../v1} for {@code /v1}, past all that is looked at here. */
    private void requireAsRouted(RoutingContext request, @Nullable String path) {
        if (path == null || path.equals(request.normalizedPath())) {
            request.next();
        } else {
            nothingHere(request);
        }
    }

    private void nothingHere(RoutingContext request) {
        answers.refuse(request, ApiError.notFound("there is nothing at this path"));
    }

    private void failed(RoutingContext request) {
        if (!RequestEnd.isWatched(request)) {
            // On the management port Quarkus reads the body before anybody else is asked.
            begin(request);
        }
        Throwable failure = request.failure();
        if (failure != null && (request.statusCode() == 500 || ClientGone.explains(failure))) {
            answers.fail(request, failure);
        } else {
            Throwable cause = failure == null ? new IllegalStateException("status " + request.statusCode()) : failure;
            answers.refuse(request, ErrorTranslation.ofStatus(request.statusCode(), cause, RequestId.of(request)));
        }
    }
}
