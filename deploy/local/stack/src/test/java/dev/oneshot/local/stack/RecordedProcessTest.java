package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedProcessTest {

    @TempDir
    Path state;

    @Test
    void aRecordedProcessIsFoundWhileItRuns() throws Exception {
        Process sleeper = sleeper();
        RecordedProcess.write(state, "sleeper", sleeper.toHandle());
        assertThat(RecordedProcess.read(state, "sleeper")).hasValue(new RecordedProcess("sleeper", sleeper.toHandle()));

        sleeper.destroyForcibly().waitFor();

        assertThat(RecordedProcess.read(state, "sleeper")).isEmpty();
        assertThat(RecordedProcess.readAll(state)).isEmpty();
    }

    @Test
    void recordWithAReusedProcessIdOrWithDamageIsIgnored() throws IOException {
        Files.createDirectories(RecordedProcess.directory(state));
        String reused = ProcessHandle.current().pid() + " 2020-01-01T00:00:00Z\n";
        for (String content : List.of(reused, "", "\n", "12", "x y", "99999999999999999999 z", "1 2 3")) {
            Files.writeString(RecordedProcess.directory(state).resolve("api.pid"), content);

            assertThat(RecordedProcess.read(state, "api")).as(content).isEmpty();
        }
    }

    @Test
    void whatAKilledStackLeftBehindIsEndedButNotTheStackItself() throws Exception {
        Process left = sleeper();
        Process stack = sleeper();
        RecordedProcess.write(state, "api", left.toHandle());
        RecordedProcess.write(state, "stack", stack.toHandle());
        List<String> said = new ArrayList<>();

        int ended = RecordedProcess.endLeftovers(state, "stack", said::add);

        assertThat(ended).isEqualTo(1);
        assertThat(said).singleElement().asString().contains("ending api").contains(Long.toString(left.pid()));
        assertThat(left.isAlive()).isFalse();
        assertThat(stack.isAlive()).isTrue();
        stack.destroyForcibly().waitFor();
    }

    @Test
    void theLatestStartedIsFirst() throws Exception {
        Process service = sleeper();
        RecordedProcess.write(state, "postgres", ProcessHandle.current());
        RecordedProcess.write(state, "api", service.toHandle());

        assertThat(RecordedProcess.readAll(state))
                .extracting(RecordedProcess::label)
                .containsExactly("api", "postgres");

        service.destroyForcibly().waitFor();
    }

    private static Process sleeper() throws IOException {
        return new ProcessBuilder("sleep", "300").start();
    }
}
