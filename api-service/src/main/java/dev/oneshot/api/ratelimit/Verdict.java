package dev.oneshot.api.ratelimit;

import java.time.Duration;

/** Whether a request may go on. */
sealed interface Verdict {

    /**
     * It may.
     *
     * @param remaining how many more may follow at once, as far as this replica knows
     */
    record Admitted(long remaining) implements Verdict {}

    /**
     * It may not.
     *
     * @param retryAfter when another one may, if nobody else takes its place
     */
    record Refused(Duration retryAfter) implements Verdict {}
}
