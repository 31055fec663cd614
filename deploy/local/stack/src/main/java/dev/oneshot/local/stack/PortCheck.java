package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LoopbackPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
            try (BufferedReader output = lsof.inputReader()) {
                return output.lines().findFirst().map(pid -> "process " + pid + command(pid));
            }
        } catch (IOException notInstalled) {
            return Optional.empty();
        }
    }

    private static String command(String pid) {
        return ProcessHandle.of(Long.parseLong(pid))
                .flatMap(process -> process.info().command())
                .map(path -> " (" + path + ")")
                .orElse("");
    }
}
