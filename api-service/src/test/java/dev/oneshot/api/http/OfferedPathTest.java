package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.oneshot.testing.ServiceRules;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OfferedPathTest {

    @Test
    void theyAreThoseOfTheResources() {
        Map<String, Set<String>> offered = new TreeMap<>();
        for (OfferedPath offer : OfferedPath.ALL) {
            if (!offer.template().startsWith("/openapi")) {
                Set<String> methods = new TreeSet<>(offer.methods());
                methods.removeAll(Set.of("HEAD", "OPTIONS"));
                offered.put(offer.template(), methods);
            }
        }

        assertThat(offered).isEqualTo(ofResources());
    }

    @Test
    void whatCanBeReadHasItsHeaderFieldsToo() {
        for (OfferedPath offer : OfferedPath.ALL) {
            assertThat(offer.methods()).contains("OPTIONS").isSorted();
            assertThat(offer.methods().contains("HEAD"))
                    .isEqualTo(offer.methods().contains("GET"));
        }
    }

    private static Map<String, Set<String>> ofResources() {
        Map<String, Set<String>> methods = new TreeMap<>();
        ServiceRules.classes("dev.oneshot.api").stream()
                .filter(type -> type.isAnnotatedWith(Path.class))
                .map(JavaClass::reflect)
                .forEach(resource -> Arrays.stream(resource.getDeclaredMethods())
                        .forEach(method -> add(resource.getAnnotation(Path.class), method, methods)));
        return methods;
    }

    private static void add(Path resource, Method method, Map<String, Set<String>> methods) {
        Path path = method.getAnnotation(Path.class);
        String template = path == null ? resource.value() : resource.value() + "/" + path.value();
        Arrays.stream(method.getAnnotations())
                .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
                .filter(http -> http != null)
                .forEach(http -> methods.computeIfAbsent(template, unknown -> new TreeSet<>())
                        .add(http.value()));
    }
}
