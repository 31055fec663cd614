package dev.oneshot.api.openapi;

import io.quarkus.test.junit.callback.QuarkusTestBeforeEachCallback;
import io.quarkus.test.junit.callback.QuarkusTestMethodContext;
import io.restassured.RestAssured;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares every response that a test gets through REST Assured with the served descriptions of the public API and
 * the operator API. Quarkus finds it as a service and runs it before every test.
 */
public final class DescribedResponses implements QuarkusTestBeforeEachCallback, Filter {

    private static @Nullable ServedDescription published;
    private static @Nullable ServedDescription operators;

    @Override
    public void beforeEach(QuarkusTestMethodContext context) {
        if (RestAssured.filters().stream().noneMatch(DescribedResponses.class::isInstance)) {
            RestAssured.filters(this);
        }
    }

    @Override
    public Response filter(
            FilterableRequestSpecification request,
            FilterableResponseSpecification specification,
            FilterContext context) {
        Response response = context.next(request, specification);
        URI uri = URI.create(request.getURI());
        Optional<ServedDescription> description = describing(uri);
        if (description.isEmpty()) {
            return response;
        }
        String contentType = response.contentType() == null ? "" : response.contentType();
        List<String> complaints = description
                .get()
                .complaints(
                        request.getMethod(), uri.getPath(), response.statusCode(), contentType, response.asString());
        if (!complaints.isEmpty()) {
            throw new AssertionError("%s %s got %d, which is not as described: %s%n%s"
                    .formatted(
                            request.getMethod(),
                            uri.getPath(),
                            response.statusCode(),
                            complaints,
                            response.asString()));
        }
        return response;
    }

    private static synchronized Optional<ServedDescription> describing(URI uri) {
        if (uri.getPort() == RestAssured.port && uri.getPath().startsWith("/v1")) {
            published = published == null ? ServedDescription.published() : published;
            return Optional.of(published);
        }
        if (uri.getPort() != RestAssured.port && uri.getPath().startsWith("/operator/")) {
            operators = operators == null ? ServedDescription.operators() : operators;
            return Optional.of(operators);
        }
        return Optional.empty();
    }
}
