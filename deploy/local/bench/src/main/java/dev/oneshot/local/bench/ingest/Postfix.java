package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.bench.Bench;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Postfix's own load tools, where they are installed: {@code smtp-source}, a second and independent load, and
 * {@code smtp-sink}, the trade's discarding server. The mail system itself is never started.
 */
final class Postfix implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration CHECK_EVERY = Duration.ofMillis(20);
    private static final int START_CHECKS = 250;

    private final Path source;
    private final Process sink;
    private final int sinkPort;

    private Postfix(Path source, Process sink, int sinkPort) {
        this.source = source;
        this.sink = sink;
        this.sinkPort = sinkPort;
    }

    /** Starts {@code smtp-sink}, if both programs are there. */
    static Optional<Postfix> start() throws IOException {
        Optional<Path> source = Bench.program("smtp-source");
        Optional<Path> sink = Bench.program("smtp-sink");
        if (source.isEmpty() || sink.isEmpty()) {
            return Optional.empty();
        }
        int port = LoopbackPorts.free();
        List<String> command = new ArrayList<>(List.of(sink.get().toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.addAll(List.of("127.0.0.1:" + port, "1024"));
        Process process = quiet(command);
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        awaitAccepting(process, port);
        return Optional.of(new Postfix(source.get(), process, port));
    }

    int sinkPort() {
        return sinkPort;
    }

    /** The messages a second that {@code smtp-source} hands over. */
    double rate(int port, String recipient, int octets, int connections, boolean kept, int messages)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                source.toString(),
                "-s",
                Integer.toString(connections),
                "-m",
                Integer.toString(messages),
                "-l",
                Integer.toString(octets),
                "-f",
                "bench@sender.example",
                "-t",
                recipient));
        if (kept) {
            command.add("-d");
        }
        command.add("127.0.0.1:" + port);
        long begin = System.nanoTime();
        Process process = quiet(command);
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("smtp-source failed: " + String.join(" ", command));
        }
        return messages / ((System.nanoTime() - begin) / 1e9);
    }

    @Override
    public void close() {
        sink.destroy();
    }

    private static Process quiet(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void awaitAccepting(Process process, int port) throws IOException {
        for (int i = 0; i < START_CHECKS && process.isAlive(); i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException notYet) {
                LockSupport.parkNanos(CHECK_EVERY.toNanos());
            }
        }
        throw new IOException("smtp-sink does not take connections");
    }
}
