package dev.oneshot.fuzz;

import java.util.function.Supplier;

/** What has to hold for any input. */
final class Law {

    private Law() {}

    /** @throws AssertionError which the fuzzer takes as a finding, if it does not hold */
    static void requires(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise.get());
        }
    }
}
