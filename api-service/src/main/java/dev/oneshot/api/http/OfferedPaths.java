package dev.oneshot.api.http;

import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which methods are offered at which paths, read off the resources' annotations. */
@ApplicationScoped
class OfferedPaths {

    private static final String DEPENDS = "";

    /**
     * What there is at a path.
     *
     * @param methods in alphabetical order
     * @param types by method, what it answers with; empty if that depends
     */
    record Offer(String template, Pattern path, List<String> methods, Map<String, String> types) {

        /** The media type that a method answers with; null if that depends. */
        @Nullable
        String typeOf(String method) {
            String type = types.get(method);
            return DEPENDS.equals(type) ? null : type;
        }
    }

    private final List<Offer> offers = new ArrayList<>();

    /** Those at paths without a parameter, which are their own templates: there is no pattern to try. */
    private final Map<String, Offer> fixed = new HashMap<>();

    OfferedPaths(@All List<Resource> resources) {
        Map<String, SortedMap<String, String>> types = new TreeMap<>();
        resources.forEach(resource -> collect(resourceClass(resource), types));
        types.forEach((template, offered) -> {
            Offer offer = new Offer(template, pattern(template), List.copyOf(offered.keySet()), Map.copyOf(offered));
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

    private static void collect(Class<?> resource, Map<String, SortedMap<String, String>> types) {
        for (Method method : resource.getDeclaredMethods()) {
            for (Annotation annotation : method.getAnnotations()) {
                HttpMethod http = annotation.annotationType().getAnnotation(HttpMethod.class);
                if (http != null) {
                    String template = template(resource.getAnnotation(Path.class), method.getAnnotation(Path.class));
                    SortedMap<String, String> offered = types.computeIfAbsent(template, path -> new TreeMap<>());
                    String type = type(resource.getAnnotation(Produces.class), method.getAnnotation(Produces.class));
                    offered.put(http.value(), type);
                    offered.put("OPTIONS", DEPENDS);
                    if (http.value().equals("GET")) {
                        offered.putIfAbsent("HEAD", type);
                    }
                }
            }
        }
    }

    private static String type(@Nullable Produces resource, @Nullable Produces method) {
        Produces produces = method == null ? resource : method;
        return produces == null || produces.value()[0].equals(MediaType.WILDCARD) ? DEPENDS : produces.value()[0];
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
