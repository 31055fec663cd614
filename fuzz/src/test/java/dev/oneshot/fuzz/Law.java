package dev.oneshot.fuzz;

import java.util.function.Supplier;

/** A condition that holds for any input. */
final class Law {

    private Law() {}

    /** @throws AssertionError if the condition does not hold; the fuzzer reports it as a finding */
    static void requires(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise.get());
        }
    }
}
