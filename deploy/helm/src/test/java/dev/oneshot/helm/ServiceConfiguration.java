package dev.oneshot.helm;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigMappingInterface.Property;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The settings of a packaged service, as names of environment variables: those of its {@code @ConfigMapping} interfaces,
 * those that {@code application.properties} refers to, and those of traces, if it refers to one of them.
 *
 * @param settings variables of single settings
 * @param prefixes prefixes of variables that fill a map
 * @param required variables without a default
 */
record ServiceConfiguration(Set<String> settings, Set<String> prefixes, Set<String> required) {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(oneshot\\.[a-z0-9.-]+)");
    private static final Map<String, ServiceConfiguration> READ = new ConcurrentHashMap<>();

    static ServiceConfiguration of(String module) {
        return READ.computeIfAbsent(module, ServiceConfiguration::read);
    }

    boolean reads(String variable) {
        return settings.contains(variable) || prefixes.stream().anyMatch(variable::startsWith);
    }

    @SuppressWarnings("BanClassLoader") // The classes are those of this build.
    private static ServiceConfiguration read(String module) {
        Path target = Path.of("../..", module, "target");
        Path classes = target.resolve("classes");
        ServiceConfiguration found = new ServiceConfiguration(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        try (URLClassLoader loader = new URLClassLoader(classPath(target));
                Reader properties = Files.newBufferedReader(classes.resolve("application.properties"))) {
            for (Path file : files(classes, ".class")) {
                String name = classes.relativize(file).toString().replace('/', '.');
                Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()), false, loader);
                if (type.isAnnotationPresent(ConfigMapping.class)) {
                    ConfigMappings.getProperties(ConfigClass.configClass(type)).forEach(found::add);
                }
            }
            found.addAll(properties);
            Class<?> shared = Class.forName("dev.oneshot.contracts.trace.TracingConfig", false, loader);
            String prefix = variable(shared.getAnnotation(ConfigMapping.class).prefix()) + "_";
            if (found.settings.stream().anyMatch(setting -> setting.startsWith(prefix))) {
                ConfigMappings.getProperties(ConfigClass.configClass(shared)).forEach(found::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
        return found;
    }

    /** The class path of the packaged service. */
    private static URL[] classPath(Path target) throws IOException {
        List<URL> classPath =
                new ArrayList<>(List.of(target.resolve("classes").toUri().toURL()));
        for (Path jar : files(target.resolve("quarkus-app/lib"), ".jar")) {
            classPath.add(jar.toUri().toURL());
        }
        return classPath.toArray(URL[]::new);
    }

    private static List<Path> files(Path directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }

    /** A star in a name stands for any key of a map. */
    private void add(String name, Property property) {
        if (name.contains("*")) {
            prefixes.add(variable(name.substring(0, name.indexOf('*'))));
            return;
        }
        settings.add(variable(name));
        if (property.hasDefaultValue()) {
            addReferences(property.getDefaultValue());
        } else if (!property.getMethod().getReturnType().getSimpleName().startsWith("Optional")) {
            required.add(variable(name));
        }
    }

    private void addAll(Reader file) throws IOException {
        Properties properties = new Properties();
        properties.load(file);
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
        REFERENCE
                .matcher(value)
                .results()
                .map((MatchResult name) -> variable(name.group(1)))
                .forEach(settings::add);
    }

    private static String variable(String property) {
        return property.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
