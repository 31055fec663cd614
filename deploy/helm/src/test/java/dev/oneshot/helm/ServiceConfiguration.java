package dev.oneshot.helm;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a service, from its sources: the {@code @ConfigMapping} interfaces and references in {@code
 * application.properties}, as names of environment variables.
 *
 * @param settings variables of single settings
 * @param prefixes prefixes of variables that fill a map
 * @param required variables without a default
 */
record ServiceConfiguration(Set<String> settings, Set<String> prefixes, Set<String> required) {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(oneshot\\.[a-z0-9.-]+)");
    private static final Pattern CAMEL_HUMP = Pattern.compile("([a-z0-9])([A-Z])");

    static ServiceConfiguration of(String module) {
        Path sources = Path.of("../..", module, "src/main");
        ServiceConfiguration found = new ServiceConfiguration(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        try (Stream<Path> files = Files.walk(sources.resolve("java"));
                StandardJavaFileManager compilerFiles =
                        compiler().getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<Path> java = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(ServiceConfiguration::mentionsConfigMapping)
                    .toList();
            JavacTask task = (JavacTask) compiler()
                    .getTask(
                            null,
                            compilerFiles,
                            null,
                            List.of("-proc:none"),
                            null,
                            compilerFiles.getJavaFileObjectsFromPaths(java));
            task.parse().forEach(unit -> unit.getTypeDecls().forEach(type -> found.addMappings((ClassTree) type)));
            found.addProperties(sources.resolve("resources/application.properties"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    boolean reads(String variable) {
        return settings.contains(variable) || prefixes.stream().anyMatch(variable::startsWith);
    }

    private static JavaCompiler compiler() {
        return ToolProvider.getSystemJavaCompiler();
    }

    private static boolean mentionsConfigMapping(Path file) {
        try {
            return Files.readString(file).contains("@ConfigMapping(");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void addMappings(ClassTree type) {
        Map<String, ClassTree> nested = new HashMap<>();
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
                nested.put(tree.getSimpleName().toString(), tree);
                return super.visitClass(tree, null);
            }
        }.scan(type, null);
        nested.values()
                .forEach(each -> argument(each.getModifiers().getAnnotations(), "ConfigMapping", "prefix")
                        .ifPresent(prefix -> addMembers(each, prefix, nested)));
    }

    private void addMembers(ClassTree type, String prefix, Map<String, ClassTree> nested) {
        for (Tree member : type.getMembers()) {
            if (!(member instanceof MethodTree method) || method.getBody() != null) {
                continue;
            }
            List<? extends AnnotationTree> annotations = method.getModifiers().getAnnotations();
            String name = prefix + "."
                    + argument(annotations, "WithName", "value")
                            .orElseGet(() -> kebab(method.getName().toString()));
            String returned = String.valueOf(method.getReturnType());
            ClassTree group = nested.get(returned);
            if (returned.startsWith("Map<")) {
                prefixes.add(variable(name + "."));
            } else if (group != null && group.getKind() == Tree.Kind.INTERFACE) {
                addMembers(group, name, nested);
            } else {
                settings.add(variable(name));
                argument(annotations, "WithDefault", "value").ifPresent(this::addReferences);
                if (!returned.startsWith("Optional")
                        && argument(annotations, "WithDefault", "value").isEmpty()) {
                    required.add(variable(name));
                }
            }
        }
    }

    private void addProperties(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        properties.forEach((key, value) -> {
            if (key.toString().startsWith("oneshot.")) {
                settings.add(variable(key.toString()));
                required.remove(variable(key.toString()));
            }
            addReferences(value.toString());
        });
    }

    /** A default may be the value of another setting. */
    private void addReferences(String value) {
        Matcher reference = REFERENCE.matcher(value);
        while (reference.find()) {
            settings.add(variable(reference.group(1)));
        }
    }

    private static Optional<String> argument(
            List<? extends AnnotationTree> annotations, String annotation, String argument) {
        return annotations.stream()
                .filter(tree -> tree.getAnnotationType().toString().equals(annotation))
                .flatMap(tree -> tree.getArguments().stream())
                .filter(tree -> nameOf(tree).equals(argument))
                .map(tree -> tree instanceof AssignmentTree assignment ? assignment.getExpression() : tree)
                .map(tree -> tree instanceof LiteralTree literal ? String.valueOf(literal.getValue()) : tree.toString())
                .findFirst();
    }

    private static String nameOf(ExpressionTree argument) {
        return argument instanceof AssignmentTree assignment
                ? assignment.getVariable().toString()
                : "value";
    }

    private static String kebab(String camel) {
        return CAMEL_HUMP.matcher(camel).replaceAll("$1-$2").toLowerCase(Locale.ROOT);
    }

    private static String variable(String property) {
        return property.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
