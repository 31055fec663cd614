package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.Program;
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

    /** The process that listens there, if lsof is installed and may see it. */
    private static Optional<String> holder(int port) {
        try {
            String pids = Program.run(List.of("lsof", "-w", "-nP", "-t", "-iTCP:" + port, "-sTCP:LISTEN"));
            return pids.lines().findFirst().map(pid -> "process " + pid + command(pid));
        } catch (IOException | IllegalStateException notInstalledOrNotPermitted) {
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
