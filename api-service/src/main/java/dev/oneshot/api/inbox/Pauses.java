package dev.oneshot.api.inbox;

import java.time.Duration;

/** Pauses between tries: each twice the one before, within bounds. For one thread. */
final class Pauses {

    private final Duration min;
    private final Duration max;
    private Duration next;

    Pauses(Duration min, Duration max) {
        if (min.isNegative() || min.isZero() || max.compareTo(min) < 0) {
            throw new IllegalArgumentException(
                    "oneshot.inbox.pause-min must be positive and at most oneshot.inbox.pause-max");
        }
        this.min = min;
        this.max = max;
        this.next = min;
    }

    Duration next() {
        Duration pause = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(max) > 0 ? max : doubled;
        return pause;
    }

    void reset() {
        next = min;
    }
}
