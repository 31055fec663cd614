package dev.oneshot.expiry.sweep;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How expired rows are swept. {@link dev.oneshot.expiry.SettingBounds} says what may be. */
@ConfigMapping(prefix = "oneshot.expiry")
public interface SweepConfig {

    /** The largest batch: above it a transaction, its locks and its list of ids grow without being cheaper. */
    int BATCH_SIZE_MAX = 10_000;

    /** The most mail in a batch: 1 GiB takes some seconds to delete. */
    long BATCH_BYTES_MAX = 1 << 30;

    /** More workers than this would only wait for the database; the pool has connections for as many in both sweeps. */
    int PARALLELISM_MAX = 8;

    /**
     * How often each replica looks for expired rows. A look that finds none is one probe of an index. Content is gone
     * at most this long after its expiry, plus the time a batch takes; above 3 s the promise of 5 s is at risk.
     */
    @WithDefault("1s")
    Duration period();

    /** How often each replica looks for rows to forget: listed addresses, settled sends, kept answers. */
    @WithDefault("1m")
    Duration forgetPeriod();

    /**
     * Rows swept in one transaction. Larger batches are a little cheaper; but whoever wants one of their rows waits
     * for the whole batch.
     */
    @WithDefault("500")
    int batchSize();

    /**
     * Octets of mail deleted in one transaction; a larger mail goes alone. With large mails this, not their number, keeps
     * a batch below the statement timeout, at which it would fail again and again.
     */
    @WithDefault("67108864")
    long batchBytes();

    /**
     * Workers that sweep at the same time, on connections of their own, while there is more than one batch to do. A
     * second one makes a replica faster only where the database has cores to spare; otherwise it slows readers down.
     */
    @WithDefault("1")
    int parallelism();

    /** How long the bare row of an expired address stays listed before it is forgotten. */
    @WithDefault("30d")
    Duration listedFor();

    /** How long it stays known to the operator how a request to send ended. */
    @WithDefault("30d")
    Duration settledSendsKept();
}
