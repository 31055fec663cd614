package dev.oneshot.helm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.jni.NativeLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The chart in this repository, for the tests of this module and of the images. */
public final class Chart {

    static final Path DIRECTORY = Path.of("../helm/oneshot");
    static final String NAMESPACE = "mail";
    static final String RELEASE = "post";

    private static final Map<String, List<ObjectNode>> INSTALLED = new ConcurrentHashMap<>();

    private Chart() {}

    /** Skips the test on machines without Helm's native library. */
    static Helm helm(Path directory) {
        assumeTrue(
                ServiceLoader.load(NativeLibrary.class).findFirst().isPresent(),
                () -> "no Helm engine for " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
                        + ": the chart is not tested here");
        return new Helm(directory);
    }

    /** The value sets under {@code ci}. */
    static List<Path> valueSets() {
        try (Stream<Path> files = Files.list(DIRECTORY.resolve("ci"))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The objects that installations with these value sets create. */
    static Stream<Named<Manifests>> installations() {
        return valueSets().stream().map(set -> Named.of(set.getFileName().toString(), install(set)));
    }

    static Path valueSet(String name) {
        return DIRECTORY.resolve("ci").resolve(name + "-values.yaml");
    }

    /** The value set {@code smallest} with more values, in a file of this directory. */
    public static Path smallestWith(String values, Path directory) {
        return with("smallest", values, directory);
    }

    /** A value set with more values, in a file of this directory. */
    static Path with(String set, String values, Path directory) {
        ObjectNode merged = Yaml.read(valueSet(set));
        Yaml.merge(merged, Yaml.parse(values));
        Path file = directory.resolve("values.yaml");
        Yaml.write(file, merged);
        return file;
    }

    /** The objects that an installation with these values creates, migration hooks included. */
    public static Manifests install(Path values) {
        try {
            // Most tests read the same value sets, and Helm takes some tenths of a second.
            String text = Files.readString(values);
            List<ObjectNode> created = INSTALLED.get(text);
            if (created == null) {
                created = installAgain(values);
                INSTALLED.put(text, created);
            }
            return new Manifests(created.stream().map(ObjectNode::deepCopy).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #install(Path)}, but installs even if another test has installed these values. */
    static List<ObjectNode> installAgain(Path values) {
        try (KubernetesApi api = new KubernetesApi()) {
            install(api, values);
            return api.created();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Installs, and returns the output: Helm's own text and the chart's notes. */
    static String install(KubernetesApi api, Path values) {
        return install(api, RELEASE, values);
    }

    static String install(KubernetesApi api, String release, Path values) {
        return helm(DIRECTORY)
                .install()
                .withName(release)
                .withNamespace(NAMESPACE)
                .withKubeConfigContents(api.kubeConfig())
                .disableOpenApiValidation()
                .withValuesFile(values)
                .call()
                .getOutput();
    }

    /** Upgrades, and returns the output. */
    static String upgrade(KubernetesApi api, Path values) {
        return helm(DIRECTORY)
                .upgrade()
                .withName(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeConfigContents(api.kubeConfig())
                .disableOpenApiValidation()
                .withValuesFile(values)
                .call()
                .getOutput();
    }
}
