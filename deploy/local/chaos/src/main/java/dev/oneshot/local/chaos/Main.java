package dev.oneshot.local.chaos;

import dev.oneshot.local.stack.ReplicatedStack;
import dev.oneshot.local.stack.StackSettings;
import dev.oneshot.local.stack.StackSettings.Option;
import dev.oneshot.testing.ScriptedRelay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code ./oneshot chaos}. */
public final class Main {

    private static final Duration LASTING = Duration.ofSeconds(20);

    private static final int BROKEN_PROMISE = 1;
    private static final int MISUSED = 2;

    private Main() {}

    /**
     * Runs faults one after the other, and ends the JVM with status 0 if every promise was kept.
     *
     * @param arguments the root of the source tree, then {@code --rounds N} and {@code --fault NAME}
     */
    public static void main(String[] arguments) throws Exception {
        List<Fault> faults = new ArrayList<>();
        int rounds = 1;
        try {
            for (int i = 1; i + 1 < arguments.length; i += 2) {
                switch (arguments[i]) {
                    case "--rounds" -> rounds = Integer.parseInt(arguments[i + 1]);
                    case "--fault" -> faults.add(Fault.named(arguments[i + 1]));
                    default -> throw new IllegalArgumentException("no such option: " + arguments[i]);
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println("oneshot: " + e.getMessage());
            System.exit(MISUSED);
        }
        boolean isKept = run(Path.of(arguments[0]), faults.isEmpty() ? List.of(Fault.values()) : faults, rounds);
        System.exit(isKept ? 0 : BROKEN_PROMISE);
    }

    private static boolean run(Path project, List<Fault> faults, int rounds) throws Exception {
        boolean isKept = true;
        Path state = Files.createTempDirectory("oneshot-chaos-");
        StackSettings settings = StackSettings.onFreePorts(project, state, Option.DURABLE, Option.TEMPORARY);
        try (ScriptedRelay relay = Round.relay();
                ReplicatedStack stack = ReplicatedStack.start(
                        settings.with(Map.of("ONESHOT_RELAY_PORT", Integer.toString(relay.port()))))) {
            Runtime.getRuntime().addShutdownHook(new Thread(stack::close));
            System.out.println(Round.Result.COLUMNS);
            for (int round = 0; round < rounds; round++) {
                for (Fault fault : faults) {
                    Round.Result result = Round.run(stack, relay, fault, LASTING);
                    System.out.println(result.line(fault));
                    isKept &= result.isKept();
                }
            }
        }
        return isKept;
    }
}
