package dev.oneshot.local.bench.system;

import dev.oneshot.local.backends.Program;
import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;

/**
 * The services as their images have them, assembled by the image's script, with their AOT caches.
 *
 * @param directory has a directory for each service
 */
public record ImageContents(Path directory) implements AutoCloseable {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** Assembles all of them, and records their caches in a stack of its own. */
    public static ImageContents assemble(Bench bench) throws IOException {
        bench.say("recording the caches");
        ImageContents images = new ImageContents(Files.createTempDirectory("oneshot-bench-images-"));
        String script = bench.project().resolve("deploy/images/assemble").toString();
        String home = "JAVA_HOME=" + System.getProperty("java.home");
        Program.run(List.of("env", home, script, "services", JAVA, images.directory.toString()));
        return images;
    }

    /** Starts an ended service of a stack with its cache; the JVM fails without it. */
    public void start(LocalStack stack, Service service) {
        List<String> options = new ArrayList<>(service.jvmOptions());
        options.addAll(List.of("-Xmx" + stack.settings().heap(service), "-XX:AOTCache=app.aot", "-XX:AOTMode=on"));
        stack.start(service, command(directory.resolve(service.module()), JAVA, options));
    }

    /** The command line of a service in a directory, which is its working directory, as in an image. */
    public static List<String> command(Path directory, String java, List<String> options) {
        List<String> command = new ArrayList<>(
                List.of("/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory.toString(), java, "@jvm-options"));
        command.addAll(options);
        command.addAll(List.of("-jar", "quarkus-run.jar"));
        return command;
    }

    @Override
    public void close() throws IOException {
        FileUtils.deleteDirectory(directory.toFile());
    }
}
