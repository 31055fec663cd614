package dev.oneshot.api.openapi;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.Paths;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * Completes the description that the generator makes of the annotations: paths relative to the server, path parameters, and the
 * responses and header fields that all operations share. Only the build runs it, never the service.
 */
public final class CommonAnswers implements OASFilter {

    private static final String VERSION = "/v1";

    /** Sorted, so that every build writes the same. */
    private static final SortedMap<String, String> RATE_HEADERS = new TreeMap<>(
            Map.of("RateLimit-Policy", "RateLimitPolicy", "RateLimit", "RateLimit", "X-Request-Id", "RequestId"));

    @Override
    public void filterOpenAPI(OpenAPI description) {
        Components components = description.getComponents();
        if (components != null) {
            CommonAnswer.ALL.forEach(answer -> components.addResponse(answer.component(), withHeaders(answer)));
            if (components.getSchemas() != null) {
                makeNullable(components.getSchemas(), "Address", "email", "EmailSummary");
                makeNullable(components.getSchemas(), "CreateAddress", "send", "Send");
            }
        }
        if (description.getPaths() != null && description.getPaths().getPathItems() != null) {
            Paths paths = OASFactory.createPaths();
            description.getPaths().getPathItems().forEach((path, item) -> {
                complete(path, item);
                paths.addPathItem(path.substring(VERSION.length()), item);
            });
            description.setPaths(paths);
        }
    }

    /** The generator knows no reference that may be null. */
    private static void makeNullable(Map<String, Schema> schemas, String schema, String property, String reference) {
        Schema owner = schemas.get(schema);
        Schema described = owner == null || owner.getProperties() == null
                ? null
                : owner.getProperties().get(property);
        if (owner != null && described != null) {
            Schema nullable = OASFactory.createSchema()
                    .addAnyOf(OASFactory.createSchema().ref(reference))
                    .addAnyOf(OASFactory.createSchema().addType(Schema.SchemaType.NULL))
                    .description(described.getDescription());
            owner.addProperty(property, nullable);
        }
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
        describeParameters(operation);
        boolean isOfAnAddress = path.contains("{id}");
        boolean isPost = method == PathItem.HttpMethod.POST;
        if (!isOfAnAddress) {
            add(responses, CommonAnswer.INVALID);
        }
        add(responses, CommonAnswer.UNAUTHORIZED);
        if (isOfAnAddress) {
            add(responses, CommonAnswer.NOT_FOUND);
            if (method != PathItem.HttpMethod.DELETE) {
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

    /** The resources take them as strings, as what is not one of these is 404. */
    private static void describeParameters(Operation operation) {
        for (Parameter parameter : parameters(operation)) {
            if ("id".equals(parameter.getName())) {
                parameter.description("The id of the address, in upper or lower case.");
            } else if ("index".equals(parameter.getName())) {
                parameter
                        .description("The position of the attachment in the e-mail, from 0.")
                        .schema(OASFactory.createSchema()
                                .addType(Schema.SchemaType.INTEGER)
                                .format("int32")
                                .minimum(BigDecimal.ZERO));
            }
        }
    }

    private static List<Parameter> parameters(Operation operation) {
        return operation.getParameters() == null ? List.of() : operation.getParameters();
    }

    private static boolean isNamed(Operation operation) {
        return parameters(operation).stream().anyMatch(field -> "Idempotency-Key".equals(field.getName()));
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
