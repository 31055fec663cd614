package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.stack.Health;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Postfix's discarding server {@code smtp-sink}, if it is installed. */
record SmtpSink(Process process, int port) implements AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final int POLLS_MAX = 250;

    static Optional<SmtpSink> start() throws IOException {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        Optional<Path> program = Stream.of(path.split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, "smtp-sink"))
                .filter(Files::isExecutable)
                .findFirst();
        if (program.isEmpty()) {
            return Optional.empty();
        }
        int port = LoopbackPorts.free();
        List<String> command = new ArrayList<>(List.of(program.get().toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.addAll(List.of("127.0.0.1:" + port, "1024"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        for (int i = 0; i < POLLS_MAX && !Health.accepts(port); i++) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
        return Optional.of(new SmtpSink(process, port));
    }

    @Override
    public void close() {
        process.destroy();
    }
}
