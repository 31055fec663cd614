package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The services as their images have them, assembled by the image's script, with their AOT caches. */
public final class ImageContents implements AutoCloseable {

    /** The options that take the cache; the JVM fails without it. */
    public static final List<String> CACHE = List.of("-XX:AOTCache=app.aot", "-XX:AOTMode=on");

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final Path project;
    private final Path directory;

    private ImageContents(Path project, Path directory) {
        this.project = project;
        this.directory = directory;
    }

    /** Assembles all of them, and records their caches in a stack of its own. */
    public static ImageContents assemble(Bench bench) throws IOException, InterruptedException {
        bench.say("recording the caches");
        ImageContents images = new ImageContents(bench.project(), Files.createTempDirectory("oneshot-bench-images-"));
        try {
            List<String> train = new ArrayList<>(List.of("train", JAVA));
            for (Service service : Service.values()) {
                images.run(List.of("contents", service.module(), images.of(service)));
                train.add(service.module() + "=" + images.of(service));
            }
            images.run(train);
            return images;
        } catch (IOException | InterruptedException e) {
            images.close();
            throw e;
        }
    }

    /** The command line of a service, with these options. */
    public List<String> command(Service service, String heap, List<String> options) {
        // The working directory of an image is that of the service.
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", of(service), JAVA, "-Xmx" + heap));
        command.addAll(service.jvmOptions());
        command.add("@jvm-options");
        command.addAll(options);
        command.addAll(List.of("-jar", "quarkus-run.jar"));
        return command;
    }

    @Override
    public void close() {
        TemporaryBackends.delete(directory);
    }

    private void run(List<String> arguments) throws IOException, InterruptedException {
        Path log = directory.resolve("assemble.log");
        List<String> command = new ArrayList<>(
                List.of(project.resolve("deploy/images/assemble").toString()));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        if (builder.start().waitFor() != 0) {
            throw new IOException("cannot assemble images:\n" + Files.readString(log));
        }
    }

    private String of(Service service) {
        return directory.resolve(service.module()).toString();
    }
}
