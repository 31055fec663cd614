package dev.oneshot.expiry.sweep;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** How expired rows are swept. */
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
    @DurationMin(seconds = 1)
    @DurationMax(minutes = 1)
    Duration period();

    /** How often each replica looks for rows to forget: listed addresses, settled sends, kept answers. */
    @WithDefault("1m")
    @DurationMin(seconds = 1)
    @DurationMax(hours = 24)
    Duration forgetPeriod();

    /**
     * Rows swept in one transaction. Larger batches are a little cheaper; but whoever wants one of their rows waits
     * for the whole batch.
     */
    @WithDefault("500")
    @Min(1)
    @Max(BATCH_SIZE_MAX)
    int batchSize();

    /**
     * Octets of mail deleted in one transaction; a larger mail goes alone. With large mails this, not their number, keeps
     * a batch below the statement timeout, at which it would fail again and again.
     */
    @WithDefault("67108864")
    @Min(1)
    @Max(BATCH_BYTES_MAX)
    long batchBytes();

    /**
     * Workers that sweep at the same time, on connections of their own, while there is more than one batch to do. A
     * second one makes a replica faster only where the database has cores to spare; otherwise it slows readers down.
     */
    @WithDefault("1")
    @Min(1)
    @Max(PARALLELISM_MAX)
    int parallelism();

    /** How long the bare row of an expired address stays listed before it is forgotten. */
    @WithDefault("30d")
    @DurationMin(minutes = 1)
    @DurationMax(days = 3650)
    Duration listedFor();

    /** How long it stays known to the operator how a request to send ended. */
    @WithDefault("30d")
    @DurationMin(minutes = 1)
    @DurationMax(days = 3650)
    Duration settledSendsKept();
}
