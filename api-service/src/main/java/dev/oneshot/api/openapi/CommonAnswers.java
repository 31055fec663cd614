package dev.oneshot.api.openapi;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * Adds to every operation the answers and headers that it has as a matter of course. The build runs it when it writes the
 * description; the service never does.
 */
public final class CommonAnswers implements OASFilter {

    /** Sorted, so that every build writes the same. */
    private static final SortedMap<String, String> RATE_HEADERS = new TreeMap<>(
            Map.of("RateLimit-Policy", "RateLimitPolicy", "RateLimit", "RateLimit", "X-Request-Id", "RequestId"));

    @Override
    public void filterOpenAPI(OpenAPI description) {
        if (description.getComponents() != null) {
            for (CommonAnswer answer : CommonAnswer.ALL) {
                description.getComponents().addResponse(answer.component(), withHeaders(answer));
            }
        }
        if (description.getComponents() != null && description.getComponents().getSchemas() != null) {
            Schema address = description.getComponents().getSchemas().get("Address");
            if (address != null) {
                makeEmailNullable(address);
            }
        }
        if (description.getPaths() != null && description.getPaths().getPathItems() != null) {
            description.getPaths().getPathItems().forEach(CommonAnswers::complete);
        }
    }

    /** The generator knows no reference that may be null. */
    private static void makeEmailNullable(Schema address) {
        Schema email = OASFactory.createSchema()
                .addAnyOf(OASFactory.createSchema().ref("EmailSummary"))
                .addAnyOf(OASFactory.createSchema().addType(Schema.SchemaType.NULL))
                .description("Null while no e-mail has been received.");
        address.addProperty("email", email);
    }

    private static void complete(String path, PathItem item) {
        item.getOperations().forEach((method, operation) -> complete(path, method, operation));
    }

    private static void complete(String path, PathItem.HttpMethod method, Operation operation) {
        APIResponses responses = operation.getResponses();
        if (responses == null) {
            responses = OASFactory.createAPIResponses();
            operation.setResponses(responses);
        }
        responses.getAPIResponses().values().forEach(CommonAnswers::addHeaders);
        boolean isOfAnAddress = path.contains("{id}");
        boolean isPost = method == PathItem.HttpMethod.POST;
        if (!isOfAnAddress) {
            add(responses, CommonAnswer.INVALID);
        }
        add(responses, CommonAnswer.UNAUTHORIZED);
        if (isOfAnAddress) {
            add(responses, CommonAnswer.NOT_FOUND);
            if (method == PathItem.HttpMethod.GET) {
                add(responses, CommonAnswer.EXPIRED);
            }
        }
        if (isPost && path.endsWith("/addresses")) {
            add(responses, CommonAnswer.QUOTA_EXCEEDED);
        }
        if (isNamed(operation)) {
            add(responses, CommonAnswer.CONFLICT);
            add(responses, CommonAnswer.UNPROCESSABLE);
        }
        add(responses, CommonAnswer.RATE_LIMITED);
        add(responses, CommonAnswer.ANY_OTHER);
    }

    private static boolean isNamed(Operation operation) {
        return operation.getParameters() != null
                && operation.getParameters().stream().anyMatch(field -> "Idempotency-Key".equals(field.getName()));
    }

    /** In the place of what the generator supposes, which has no content. */
    private static void add(APIResponses responses, CommonAnswer answer) {
        responses.addAPIResponse(answer.status(), OASFactory.createAPIResponse().ref(answer.component()));
    }

    private static APIResponse withHeaders(CommonAnswer answer) {
        APIResponse response = answer.describe();
        if (!answer.equals(CommonAnswer.UNAUTHORIZED)) {
            addHeaders(response);
        }
        if (answer.equals(CommonAnswer.RATE_LIMITED) || answer.equals(CommonAnswer.CONFLICT)) {
            response.addHeader("Retry-After", header("RetryAfter"));
        }
        return response;
    }

    private static void addHeaders(APIResponse response) {
        RATE_HEADERS.forEach((field, component) -> response.addHeader(field, header(component)));
    }

    private static Header header(String component) {
        return OASFactory.createHeader().ref(component);
    }
}
