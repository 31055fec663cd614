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
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which methods are offered at which paths, read off the resources' annotations. */
@ApplicationScoped
class OfferedPaths {

    /** What a path parameter may be: no dots, semicolons or escapes, which the router and JAX-RS would interpret. */
    private static final String PARAMETER = "[A-Za-z0-9]+";

    /**
     * What there is at a path.
     *
     * @param methods in alphabetical order
     */
    record Offer(String template, Pattern path, List<String> methods) {}

    private final List<Offer> offers = new ArrayList<>();

    /** Those at paths without a parameter, which are their own templates: there is no pattern to try. */
    private final Map<String, Offer> fixed = new HashMap<>();

    OfferedPaths(@All List<Resource> resources) {
        SortedMap<String, SortedSet<String>> methods = new TreeMap<>();
        resources.forEach(resource -> collect(resourceClass(resource), methods));
        methods.forEach((template, offered) -> {
            Offer offer = new Offer(template, pattern(template), List.copyOf(offered));
            offers.add(offer);
            if (!template.contains("{")) {
                fixed.put(template, offer);
            }
        });
    }

    /** What there is at a path as it came; null if there is nothing. */
    @Nullable
    Offer at(String path) {
        Offer offer = fixed.get(path);
        if (offer != null) {
            return offer;
        }
        for (Offer other : offers) {
            if (other.path().matcher(path).matches()) {
                return other;
            }
        }
        return null;
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
                pattern.append('/').append(segment.startsWith("{") ? PARAMETER : Pattern.quote(segment));
            }
        }
        return Pattern.compile(pattern.toString());
    }
}
