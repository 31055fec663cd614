package dev.oneshot.testing;

import java.util.function.Supplier;

/** A condition that holds for any input. */
public final class Law {

    private Law() {}

    /** @throws AssertionError if the condition does not hold; the fuzzer reports it as a finding */
    public static void requires(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise.get());
        }
    }
}
