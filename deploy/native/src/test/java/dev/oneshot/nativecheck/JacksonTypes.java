package dev.oneshot.nativecheck;

import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.oneshot.contracts.event.Octets;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds the types that Jackson reads and writes: the types passed to it, then their components. */
final class JacksonTypes {

    private static final String OURS = "dev.oneshot.";

    private JacksonTypes() {}

    /** The types that {@code EventCodec} lists. */
    static Set<Class<?>> ofEvents(Bytecode contracts) {
        return contracts.classLiteralsIn("dev.oneshot.contracts.event.EventCodec");
    }

    /** Bodies of the operator API and of errors. */
    static Set<Class<?>> ofRoutes(Bytecode api) {
        Set<Class<?>> given = new HashSet<>();
        api.loaded()
                .filter(type -> type.getPackageName().equals("dev.oneshot.api.operator"))
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> List.of(method.getParameterTypes()).equals(List.of(RoutingContext.class)))
                .forEach(operation -> addOurs(operation.getGenericReturnType(), given));
        given.addAll(api.classLiteralsInCallersOf("dev.oneshot.api.operator.OperatorRequests", "body"));
        given.addAll(api.lastArgumentsOf("dev.oneshot.api.error.ApiException$Body", "<init>"));
        given.add(dev.oneshot.api.error.ApiException.Body.class);
        return given;
    }

    /** Bodies of the resources: types of parameters and return values. */
    static Set<Class<?>> ofResources(Bytecode api) {
        Set<Class<?>> given = new HashSet<>();
        api.loaded().filter(type -> type.isAnnotationPresent(Path.class)).forEach(resource -> {
            for (Method method : resource.getDeclaredMethods()) {
                if (Arrays.stream(method.getAnnotations())
                        .anyMatch(annotation -> annotation.annotationType().isAnnotationPresent(HttpMethod.class))) {
                    addBodies(method, given);
                }
            }
        });
        return given;
    }

    /** The project's own types among them, and all own types that they consist of. */
    static Set<String> reachableFrom(Collection<Class<?>> given) {
        Set<Class<?>> found = new HashSet<>();
        given.forEach(type -> add(type, found));
        Set<String> names = new TreeSet<>();
        found.forEach(type -> names.add(type.getName()));
        return names;
    }

    private static void addBodies(Method method, Set<Class<?>> given) {
        addOurs(method.getGenericReturnType(), given);
        for (Parameter parameter : method.getParameters()) {
            if (parameter.getType().isRecord()) {
                addOurs(parameter.getParameterizedType(), given);
            }
        }
    }

    private static void addOurs(Type type, Set<Class<?>> given) {
        arguments(type).filter(argument -> argument.getName().startsWith(OURS)).forEach(given::add);
    }

    private static void add(Class<?> type, Set<Class<?>> found) {
        // The codec passes Jackson what reads and writes octets.
        if (!type.getName().startsWith(OURS) || type.equals(Octets.class) || !found.add(type)) {
            return;
        }
        if (addOwnDeserializer(type, found) || type.isEnum()) {
            return;
        }
        if (!type.isRecord()) {
            throw new AssertionError(
                    type + " is neither a record nor an enum: this test does not know what Jackson sees");
        }
        for (RecordComponent component : type.getRecordComponents()) {
            addOwnDeserializer(component.getAccessor(), found);
            arguments(component.getGenericType()).forEach(part -> add(part, found));
        }
    }

    /** Types with their own deserializer are created by reflection; their components are not added. */
    private static boolean addOwnDeserializer(AnnotatedElement element, Set<Class<?>> found) {
        JsonDeserialize annotation = element.getAnnotation(JsonDeserialize.class);
        if (annotation == null || annotation.using() == JsonDeserializer.None.class) {
            return false;
        }
        found.add(annotation.using());
        return true;
    }

    /** The type arguments of a generic type. */
    private static Stream<Class<?>> arguments(Type type) {
        return switch (type) {
            case Class<?> plain -> Stream.of(plain.isArray() ? plain.getComponentType() : plain);
            case ParameterizedType generic ->
                Stream.concat(
                        arguments(generic.getRawType()),
                        Arrays.stream(generic.getActualTypeArguments()).flatMap(JacksonTypes::arguments));
            case GenericArrayType array -> arguments(array.getGenericComponentType());
            default -> Stream.empty();
        };
    }
}
