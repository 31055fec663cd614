package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.backends.LoopbackPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C during the start. */
class GivenUpStartTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path project;

    @AfterEach
    void endWhatIsLeft() throws Exception {
        RecordedProcess.endLeftovers(state(), "none", left -> {});
    }

    @Test
    void aStackThatIsStoppedWhileItStartsLeavesNothingBehind() throws Exception {
        StackSettings ports = StackSettings.onFreePorts(project, state());
        Process starting = up(ports);
        await().atMost(LONG).until(() -> RecordedProcess.read(state(), "kafka").isPresent());

        starting.toHandle().destroy();

        assertThat(starting.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(RecordedProcess.readAll(state())).isEmpty();
        assertThat(List.of(Port.KAFKA, Port.POSTGRES))
                .allMatch(port -> LoopbackPorts.isFree(ports.port(port)), "is free again");
    }

    private Process up(StackSettings ports) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        project.toString(),
                        "up")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        for (Port port : Port.values()) {
            builder.environment().put(port.setting(), Integer.toString(ports.port(port)));
        }
        return builder.start();
    }

    private Path state() {
        return project.resolve(".oneshot");
    }
}
