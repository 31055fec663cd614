package dev.oneshot.api.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneshot.api.database.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Which accounts have changed on any replica: a key replaced, a plan changed, an account deleted. The last minute of
 * changes is read several times a second, whatever the number of requests, so that what is remembered of an account
 * that did not change need not be read again.
 *
 * <p>A minute, as a change is visible when its transaction ends, and none may last that long: whoever read from where
 * it left off would miss those that took longer than others.
 */
@ApplicationScoped
class AccountChanges {

    private static final Logger LOG = Logger.getLogger(AccountChanges.class);
    private static final int ROWS_MAX = 1_000;
    /** After a longer silence some of the changes may be too old to be read. */
    private static final Duration GAP_MAX = Duration.ofSeconds(20);

    private static final Duration OWN_REMEMBERED = Duration.ofMinutes(1);
    private static final String READ = "SELECT id, account_id FROM account_change"
            + " WHERE changed_at > clock_timestamp() - interval '1 minute' ORDER BY id DESC LIMIT " + (ROWS_MAX + 1);

    private final Database database;
    private final Duration every;
    private final long believedNanos;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("account-changes").daemon().factory());
    /** Changes that this replica made, which it knows of before it reads them. */
    private final Cache<UUID, Long> own =
            Caffeine.newBuilder().expireAfterWrite(OWN_REMEMBERED).build();

    private volatile @Nullable State state;

    /**
     * What was last read.
     *
     * @param askedAtNanos when it was asked for
     * @param rows the changes by their number
     * @param noticedAtNanos by account, when its last change was noticed
     * @param allNoticedAtNanos when there were last too many changes to tell them apart; null if never
     */
    private record State(
            long askedAtNanos,
            Map<Long, UUID> rows,
            Map<UUID, Long> noticedAtNanos,
            @Nullable Long allNoticedAtNanos) {}

    @Inject
    AccountChanges(Database database, KeyCacheConfig config, MeterRegistry metrics) {
        this(database, config, System::nanoTime);
        metrics.gauge("oneshot.account.changes.age.seconds", this, AccountChanges::ageSeconds);
    }

    AccountChanges(Database database, KeyCacheConfig config, LongSupplier nanoTime) {
        this.database = database;
        this.every = config.changesEvery();
        this.believedNanos = config.time().toNanos();
        this.nanoTime = nanoTime;
        if (every.toMillis() < 1 || every.multipliedBy(2).compareTo(config.time()) > 0) {
            throw new IllegalArgumentException(
                    "oneshot.key-cache.changes-every must be positive and at most half of oneshot.key-cache.time");
        }
    }

    void start(@Observes StartupEvent event) {
        var _ = reader.scheduleWithFixedDelay(this::readOrLog, 0, every.toMillis(), TimeUnit.MILLISECONDS);
    }

    void stop(@Observes ShutdownEvent event) {
        reader.shutdownNow();
    }

    /** Notes a change that this replica has just committed: here it holds at once. */
    void note(UUID accountId) {
        own.put(accountId, nanoTime.getAsLong());
    }

    /** Whether changes were read so lately that one which is not known is younger than a second. */
    boolean areKnown() {
        State known = state;
        return known != null && nanoTime.getAsLong() - known.askedAtNanos() < believedNanos;
    }

    /** Whether an account has changed since, as far as is known. */
    boolean hasChangedSince(UUID accountId, long sinceNanos) {
        if (isAfter(own.getIfPresent(accountId), sinceNanos)) {
            return true;
        }
        State known = state;
        return known != null
                && (isAfter(known.allNoticedAtNanos(), sinceNanos)
                        || isAfter(known.noticedAtNanos().get(accountId), sinceNanos));
    }

    private static boolean isAfter(@Nullable Long nanos, long sinceNanos) {
        return nanos != null && nanos - sinceNanos >= 0;
    }

    private void readOrLog() {
        try {
            read();
        } catch (RuntimeException e) {
            // Not known is not wrong: keys are then looked up again instead of being believed.
            LOG.warnf("account changes not read cause=%s", e.getMessage());
        }
    }

    /** Reads the changes of the last minute; blocking. */
    void read() {
        long askedAt = nanoTime.getAsLong();
        Map<Long, UUID> rows = database.statement(connection -> {
            try (PreparedStatement select = connection.prepareStatement(READ);
                    ResultSet result = select.executeQuery()) {
                return rows(result);
            }
        });
        state = next(state, rows, askedAt, nanoTime.getAsLong());
    }

    private static Map<Long, UUID> rows(ResultSet result) throws SQLException {
        Map<Long, UUID> rows = new HashMap<>();
        while (result.next()) {
            rows.put(result.getLong("id"), result.getObject("account_id", UUID.class));
        }
        return rows;
    }

    private static State next(@Nullable State last, Map<Long, UUID> rows, long askedAt, long now) {
        Map<UUID, Long> noticed = new HashMap<>();
        rows.forEach((id, accountId) -> {
            boolean isNew = last == null || !last.rows().containsKey(id);
            Long before = last == null ? null : last.noticedAtNanos().get(accountId);
            if (isNew) {
                noticed.put(accountId, now);
            } else if (before != null) {
                noticed.putIfAbsent(accountId, before);
            }
        });
        boolean missed = last != null && askedAt - last.askedAtNanos() > GAP_MAX.toNanos();
        Long all = last == null ? null : last.allNoticedAtNanos();
        return new State(askedAt, rows, noticed, missed || rows.size() > ROWS_MAX ? Long.valueOf(now) : all);
    }

    private double ageSeconds() {
        State known = state;
        return known == null ? Double.NaN : (nanoTime.getAsLong() - known.askedAtNanos()) / 1e9;
    }
}
