package dev.oneshot.api.http;

import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which methods are offered at which paths, read off the resources' annotations. */
@ApplicationScoped
class OfferedPaths {

    private record Offer(String template, Pattern path, List<String> methods) {}

    private final List<Offer> offers = new ArrayList<>();

    /** The methods at paths without a parameter, which are their own templates: there is no pattern to try. */
    private final Map<String, List<String>> fixed = new HashMap<>();

    OfferedPaths(@All List<Resource> resources) {
        Map<String, SortedSet<String>> methods = new TreeMap<>();
        resources.forEach(resource -> collect(resourceClass(resource), methods));
        methods.forEach((template, offered) -> {
            offers.add(new Offer(template, pattern(template), List.copyOf(offered)));
            if (!template.contains("{")) {
                fixed.put(template, List.copyOf(offered));
            }
        });
    }

    /** The methods at a path as it came, in alphabetical order; none if there is nothing at this path. */
    List<String> methodsAt(String path) {
        List<String> methods = fixed.get(path);
        if (methods != null) {
            return methods;
        }
        for (Offer offer : offers) {
            if (offer.path().matcher(path).matches()) {
                return offer.methods();
            }
        }
        return List.of();
    }

    /** The paths there are, their parameters in braces. */
    List<String> templates() {
        return offers.stream().map(Offer::template).toList();
    }

    /** Whatever the container made of it, the class that is annotated. */
    private static Class<?> resourceClass(Resource resource) {
        Class<?> type = resource.getClass();
        while (!type.isAnnotationPresent(Path.class)) {
            type = type.getSuperclass();
            if (type == null) {
                throw new IllegalStateException(resource.getClass() + " is no JAX-RS resource");
            }
        }
        return type;
    }

    private static void collect(Class<?> resource, Map<String, SortedSet<String>> methods) {
        for (Method method : resource.getDeclaredMethods()) {
            for (Annotation annotation : method.getAnnotations()) {
                HttpMethod http = annotation.annotationType().getAnnotation(HttpMethod.class);
                if (http != null) {
                    String template = template(resource.getAnnotation(Path.class), method.getAnnotation(Path.class));
                    SortedSet<String> offered = methods.computeIfAbsent(template, path -> new TreeSet<>());
                    offered.add(http.value());
                    offered.add("OPTIONS");
                    if (http.value().equals("GET")) {
                        offered.add("HEAD");
                    }
                }
            }
        }
    }

    private static String template(Path resource, @Nullable Path method) {
        return method == null ? resource.value() : resource.value() + "/" + method.value();
    }

    private static Pattern pattern(String template) {
        StringBuilder pattern = new StringBuilder();
        for (String segment : template.split("/", -1)) {
            if (!segment.isEmpty()) {
                pattern.append('/').append(segment.startsWith("{") ? "[^/]+" : Pattern.quote(segment));
            }
        }
        return Pattern.compile(pattern.toString());
    }
}
