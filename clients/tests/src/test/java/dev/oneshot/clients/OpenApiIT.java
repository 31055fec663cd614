package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.oneshot.client.Account;
import dev.oneshot.client.Address;
import dev.oneshot.client.AddressFilter;
import dev.oneshot.client.Attachment;
import dev.oneshot.client.CreateAddress;
import dev.oneshot.client.CreditsAdded;
import dev.oneshot.client.Email;
import dev.oneshot.client.EmailSummary;
import dev.oneshot.client.OneshotClient;
import dev.oneshot.client.Send;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.junit.SharedStack;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The records and methods of the Java client are those of the OpenAPI document that the service serves. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class OpenApiIT {

    /** What is read. A member that may be missing or null is nullable. */
    private static final Map<Class<?>, List<String>> RESPONSES = Map.of(
            Account.class, List.of("Account"),
            Account.Limits.class, List.of("AccountLimits"),
            Address.class, List.of("Address", "CreatedAddress"),
            Attachment.class, List.of("Attachment"),
            CreditsAdded.class, List.of("CreditsAdded"),
            Email.class, List.of("Email"),
            EmailSummary.class, List.of("EmailSummary"));

    /** What is written. A member that must be there is not nullable. */
    private static final Map<Class<?>, String> REQUESTS = Map.of(
            CreateAddress.class, "CreateAddress",
            Send.class, "Send",
            Send.File.class, "SendAttachment");

    /** The OpenAPI types and formats of Java types other than enums and objects. */
    private static final Map<Class<?>, Set<String>> KINDS = Map.of(
            long.class, Set.of("integer", "int64"),
            Long.class, Set.of("integer", "int64"),
            int.class, Set.of("integer"),
            boolean.class, Set.of("boolean"),
            String.class, Set.of("string"),
            Instant.class, Set.of("date-time"),
            List.class, Set.of("array"));

    private final LocalStack stack;
    private JsonObject document = new JsonObject();

    OpenApiIT(LocalStack stack) {
        this.stack = stack;
    }

    @BeforeEach
    void readDocument() throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + stack.settings().port(Port.HTTP) + "/openapi?format=json");
        try (InputStream body = uri.toURL().openStream()) {
            document = JsonParser.parseString(new String(body.readAllBytes(), StandardCharsets.UTF_8))
                    .getAsJsonObject();
        }
    }

    @Test
    void responsesHaveTheMembersOfTheDocument() {
        RESPONSES.forEach((type, schemas) -> {
            Set<String> documented = new TreeSet<>();
            schemas.forEach(schema -> documented.addAll(properties(schema).keySet()));
            assertThat(names(type)).as(type.getSimpleName()).isEqualTo(documented);
            for (RecordComponent component : type.getRecordComponents()) {
                assertThat(isNullable(component))
                        .as("%s of %s is nullable", component.getName(), type.getSimpleName())
                        .isEqualTo(schemas.stream().anyMatch(schema -> isMaybeAbsent(schema, component)));
                assertHasTheTypeOfTheDocument(component, schemas);
            }
        });
    }

    @Test
    void requestsHaveTheMembersOfTheDocument() {
        REQUESTS.forEach((type, schema) -> {
            Set<String> documented = new TreeSet<>(properties(schema).keySet());
            // The factory method of CreateAddress decides it.
            documented.remove("mode");
            assertThat(names(type)).as(type.getSimpleName()).isEqualTo(documented);
            for (RecordComponent component : type.getRecordComponents()) {
                assertThat(!isNullable(component) || isMaybeAbsent(schema, component))
                        .as("%s of %s is there if it must be", component.getName(), type.getSimpleName())
                        .isTrue();
                assertHasTheTypeOfTheDocument(component, List.of(schema));
            }
        });
    }

    @Test
    void methodsAreTheOperationsOfTheDocument() {
        Set<String> methods = Arrays.stream(OneshotClient.class.getMethods())
                .map(Method::getName)
                .collect(Collectors.toSet());

        assertThat(operations().map(operation -> operation.get("operationId").getAsString()))
                .hasSizeGreaterThan(10)
                .allMatch(id -> id.startsWith("head") || methods.contains(id));
    }

    @Test
    void filterHasTheParametersOfTheList() {
        JsonObject list = operations()
                .filter(operation -> operation.get("operationId").getAsString().equals("listAddresses"))
                .findFirst()
                .orElseThrow();

        assertThat(list.getAsJsonArray("parameters").asList().stream()
                        .map(parameter ->
                                parameter.getAsJsonObject().get("name").getAsString()))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(names(AddressFilter.class).stream(), Stream.of("limit", "cursor"))
                                .toList());
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private void assertHasTheTypeOfTheDocument(RecordComponent component, List<String> schemas) {
        Set<String> values = new TreeSet<>();
        for (String schema : schemas) {
            if (properties(schema).get(snakeCase(component.getName())) instanceof JsonObject property) {
                assertThat(kinds(component.getType())).as(component.toString()).contains(kind(property));
                if (property.get("enum") instanceof JsonArray constants) {
                    constants.forEach(constant -> values.add(constant.getAsString()));
                }
            }
        }
        if (component.getType().isEnum()) {
            assertThat(constants(component.getType())).as(component.toString()).isEqualTo(values);
        }
    }

    /** The type of a member, with its format where that decides. */
    private static String kind(JsonObject property) {
        if (property.has("$ref") || property.has("anyOf")) {
            return "object";
        }
        JsonElement type = property.get("type");
        String kind = type instanceof JsonArray types ? types.get(0).getAsString() : type.getAsString();
        String format = property.has("format") ? property.get("format").getAsString() : "";
        return switch (format) {
            case "date-time", "int64" -> format;
            default -> property.has("enum") ? "enum" : kind;
        };
    }

    private static Set<String> kinds(Class<?> type) {
        return KINDS.getOrDefault(type, Set.of(type.isEnum() ? "enum" : "object"));
    }

    private boolean isMaybeAbsent(String schema, RecordComponent component) {
        String name = snakeCase(component.getName());
        if (!schema(schema).getAsJsonArray("required").contains(JsonParser.parseString('"' + name + '"'))) {
            return true;
        }
        JsonObject property = properties(schema).getAsJsonObject(name);
        return property.has("anyOf") || property.get("type") instanceof JsonArray;
    }

    private JsonObject schema(String name) {
        JsonObject schema = document.getAsJsonObject("components")
                .getAsJsonObject("schemas")
                .getAsJsonObject(name);
        if (!schema.has("required")) {
            schema.add("required", new JsonArray());
        }
        return schema;
    }

    private JsonObject properties(String schema) {
        return schema(schema).getAsJsonObject("properties");
    }

    private Stream<JsonObject> operations() {
        return document.getAsJsonObject("paths").asMap().values().stream()
                .flatMap(path -> path.getAsJsonObject().asMap().values().stream())
                .filter(operation -> operation instanceof JsonObject object && object.has("operationId"))
                .map(JsonElement::getAsJsonObject);
    }

    private static Set<String> names(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> snakeCase(component.getName()))
                .collect(Collectors.toSet());
    }

    private static Set<String> constants(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                .filter(constant -> !constant.equals("unknown"))
                .collect(Collectors.toSet());
    }

    private static String snakeCase(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
