package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceProcessesTest {

    @TempDir
    Path logs;

    /** For example, a benchmark that restarts services is ended: each process is ended once. */
    @Test
    void noneIsStartedAfterAllWereToBeEnded() throws Exception {
        ServiceProcesses processes = new ServiceProcesses();
        processes.start(Service.API, this::child);
        ChildProcess running = processes.of(Service.API);

        assertThat(processes.close()).containsExactly(running);
        assertThatThrownBy(() -> processes.start(Service.MAILER, ServiceProcessesTest::started))
                .isInstanceOf(StackException.class)
                .hasMessage("mailer cannot be started in a stack that is closed");

        running.kill();
        assertThat(running.onExit().get(1, TimeUnit.MINUTES)).isNotZero();
        assertThat(processes.close()).containsExactly(running);
    }

    private static ChildProcess started() {
        throw new AssertionError("was started");
    }

    private ChildProcess child() {
        try {
            return ChildProcess.start("sleep", List.of("sleep", "60"), Map.of(), logs, _ -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
