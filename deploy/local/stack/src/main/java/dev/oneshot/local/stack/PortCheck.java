package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LoopbackPorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Finds taken ports before any part starts, with one line for each. */
final class PortCheck {

    private PortCheck() {}

    /** @throws StackException with a line for each taken port */
    static void requireFree(StackSettings settings) {
        List<String> taken = new ArrayList<>();
        for (Port port : Port.values()) {
            int number = settings.port(port);
            if (!LoopbackPorts.isFree(number)) {
                taken.add("port " + number + " (" + port.purpose() + ") is taken"
                        + holder(number).map(who -> " by " + who).orElse("") + "; end that, or choose another with "
                        + port.setting());
            }
        }
        if (!taken.isEmpty()) {
            throw new StackException(String.join("\n", taken));
        }
    }

    /** The process that listens there, if lsof is installed and permitted to tell. */
    private static Optional<String> holder(int port) {
        try {
            Process lsof = new ProcessBuilder("lsof", "-nP", "-t", "-iTCP:" + port, "-sTCP:LISTEN")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(lsof.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            if (!lsof.waitFor(5, TimeUnit.SECONDS) || output.isEmpty()) {
                return Optional.empty();
            }
            String pid = output.lines().findFirst().orElseThrow();
            String command = ProcessHandle.of(Long.parseLong(pid))
                    .flatMap(process -> process.info().command())
                    .map(path -> " (" + path + ")")
                    .orElse("");
            return Optional.of("process " + pid + command);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException notInstalled) {
            return Optional.empty();
        }
    }
}
