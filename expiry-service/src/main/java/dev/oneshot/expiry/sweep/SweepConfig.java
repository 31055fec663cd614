package dev.oneshot.expiry.sweep;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How expired rows are swept. {@link dev.oneshot.expiry.SettingsCheck} checks the bounds. */
@ConfigMapping(prefix = "oneshot.expiry")
public interface SweepConfig {

    /** The largest batch. A larger transaction is no cheaper, but has more locks and a longer list of ids. */
    int BATCH_SIZE_MAX = 10_000;

    /** The most mail in a batch: deleting 1 GiB takes some seconds. */
    long BATCH_BYTES_MAX = 1 << 30;

    /** The most workers of a sweep. More would only wait for the database; the pool has connections for both sweeps. */
    int PARALLELISM_MAX = 8;

    /**
     * How often each replica looks for expired rows; a look that finds none is one index probe. Content is deleted at
     * most this long after its expiry, plus the time of a batch. Above 3 s the promise of 5 s is at risk.
     */
    @WithDefault("1s")
    Duration period();

    /**
     * How often each replica looks for rows whose retention has ended: listed addresses, results of sending, kept
     * responses.
     */
    @WithDefault("1m")
    Duration forgetPeriod();

    /**
     * Rows swept in one transaction. Larger batches are slightly cheaper, but a request for one of their rows waits
     * for the whole batch.
     */
    @WithDefault("500")
    int batchSize();

    /**
     * Bytes of mail deleted in one transaction; a larger mail is deleted alone. This keeps batches of large mails
     * below the statement timeout.
     */
    @WithDefault("67108864")
    long batchBytes();

    /**
     * Parallel workers of a sweep, each with its own connection, while there is more than one batch. A second worker
     * helps only if the database has idle cores; otherwise it slows readers down.
     */
    @WithDefault("1")
    int parallelism();

    /** How long the bare row of an expired address stays listed. */
    @WithDefault("30d")
    Duration listedFor();

    /** How long the operator can read the result of sending. */
    @WithDefault("30d")
    Duration settledSendsKept();
}
