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
import org.jspecify.annotations.Nullable;

/**
 * Holds every answer that any test gets from the service through REST Assured against the description that the service
 * serves. Quarkus finds it as a service and has it run before every test.
 */
public final class DescribedAnswers implements QuarkusTestBeforeEachCallback, Filter {

    private static @Nullable ServedDescription description;

    @Override
    public void beforeEach(QuarkusTestMethodContext context) {
        if (RestAssured.filters().stream().noneMatch(DescribedAnswers.class::isInstance)) {
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
        if (uri.getPort() != RestAssured.port || !uri.getPath().startsWith("/v1")) {
            return response;
        }
        String contentType = response.contentType() == null ? "" : response.contentType();
        List<String> complaints = described()
                .complaints(
                        request.getMethod(), uri.getPath(), response.statusCode(), contentType, response.asString());
        if (!complaints.isEmpty()) {
            throw new AssertionError("%s %s answered %d, which is not as described: %s%n%s"
                    .formatted(
                            request.getMethod(),
                            uri.getPath(),
                            response.statusCode(),
                            complaints,
                            response.asString()));
        }
        return response;
    }

    private static synchronized ServedDescription described() {
        if (description == null) {
            description = ServedDescription.at(RestAssured.port);
        }
        return description;
    }
}
