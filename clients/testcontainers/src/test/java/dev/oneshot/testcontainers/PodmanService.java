package dev.oneshot.testcontainers;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Podman's socket with the API of Docker, for a test. */
final class PodmanService implements AutoCloseable {

    /** runc runs where crun rejects the machine's control groups. */
    private static final List<String> RUNTIMES = List.of("crun", "runc");

    private static final Duration START = Duration.ofMinutes(1);

    private final Process process;
    private final Path socket;

    private PodmanService(Process process, Path socket) {
        this.process = process;
        this.socket = socket;
    }

    /**
     * Starts the service; empty if podman cannot run this image on this machine.
     *
     * @param image an image that has {@code /usr/bin/id}
     * @param folder where the socket is made; its path must be short enough for a socket
     */
    static Optional<PodmanService> start(String image, Path folder) throws IOException, InterruptedException {
        for (String runtime : RUNTIMES) {
            // Only limits that this process may set.
            Path settings = Files.writeString(
                    folder.resolve(runtime + ".conf"),
                    "[containers]\ndefault_ulimits = [\"nofile=4096:4096\", \"nproc=4096:4096\"]\n[engine]\nruntime = \""
                            + runtime + "\"\n");
            if (runs(settings, image)) {
                Path socket = folder.resolve("podman.sock");
                Process process = podman(settings, "system", "service", "--time=0", "unix://" + socket)
                        .start();
                PodmanService service = new PodmanService(process, socket);
                await().atMost(START).until(() -> Files.exists(socket) || !process.isAlive());
                if (process.isAlive()) {
                    return Optional.of(service);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean runs(Path settings, String image) throws InterruptedException {
        try {
            return podman(settings, "run", "--rm", "--pull=never", "--publish=8080", "--entrypoint=/usr/bin/id", image)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noPodman) {
            return false;
        }
    }

    private static ProcessBuilder podman(Path settings, String... arguments) {
        List<String> command = new ArrayList<>(List.of("podman"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File("target/podman.log")));
        builder.environment().put("CONTAINERS_CONF", settings.toString());
        return builder;
    }

    /** The value of {@code DOCKER_HOST}. */
    String dockerHost() {
        return "unix://" + socket;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
