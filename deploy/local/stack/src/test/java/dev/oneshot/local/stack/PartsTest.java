package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartsTest {

    private static final List<String> SLEEP = List.of("sleep", "60");

    @TempDir
    Path state;

    /** For example, a benchmark that restarts services is ended: each process is ended once. */
    @Test
    void noPartIsStartedAfterTheStackIsClosed() throws Exception {
        Parts parts = new Parts(StackSettings.onFreePorts(state, state), _ -> {});
        ChildProcess running = parts.start("api", SLEEP, Map.of());

        assertThat(parts.close()).containsExactly(running);
        assertThat(parts.close()).isEmpty();
        assertThatThrownBy(() -> parts.start("mailer", SLEEP, Map.of()))
                .isInstanceOf(StackException.class)
                .hasMessage("mailer cannot be started in a stack that is closed");

        running.kill();
        assertThat(running.onExit().get(3, TimeUnit.MINUTES)).isNotZero();
        assertThat(parts.onDeath()).isNotDone();
    }

    @Test
    void onlyAPartThatEndsByItselfIsReported() throws Exception {
        Parts parts = new Parts(StackSettings.onFreePorts(state, state), _ -> {});
        parts.start("api", SLEEP, Map.of());
        parts.start("mailer", SLEEP, Map.of());

        parts.remove("api").kill();
        parts.of("mailer").handle().destroyForcibly();

        assertThat(parts.onDeath().get(3, TimeUnit.MINUTES)).startsWith("mailer ended with status ");
        parts.close();
    }
}
