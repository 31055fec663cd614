package dev.oneshot.api.sending;

import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.event.LeaseExtended;
import dev.oneshot.contracts.event.MailDeferred;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.SendBounced;
import dev.oneshot.contracts.event.SendLease;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.RecordSpans;
import dev.oneshot.contracts.trace.TraceContext;
import io.opentelemetry.context.Context;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code send_outbox}: requests to send until they are settled. A leased row is with the mailers. Each method is a
 * transaction, or a part of the caller's.
 */
@ApplicationScoped
@Transactional
public class Outbox {

    private static final String ADD =
            "INSERT INTO send_outbox (address_id, value, expires_at, traceparent, recipient_digest) VALUES (?, ?, ?,"
                    + " ?, ?)";

    private static final String ADD_ONCE = """
        INSERT INTO send_outbox (address_id, value, expires_at, traceparent)
        SELECT ?, ?, ?::timestamptz, ? WHERE NOT EXISTS (SELECT FROM send_settlement WHERE address_id = ?)
        ON CONFLICT DO NOTHING\
        """;

    private static final String NOTE_BOUNCE = """
        UPDATE send_outbox SET bounced_status = bounce.status
        FROM unnest(?::text[], ?::text[]) AS bounce (recipient, status)
        WHERE address_id = ? AND recipient_digest = bounce.recipient\
        """;

    private static final String ROOM = "SELECT ? - count(*) FROM send_outbox WHERE leased_until > now()";

    private static final String HAS_DUE =
            "SELECT EXISTS (SELECT FROM send_outbox WHERE due_at <= now() AND leased_until IS NULL)";

    private static final String DUE = """
        SELECT address_id, octet_length(value) FROM send_outbox
        WHERE due_at <= now() AND leased_until IS NULL AND expires_at > now()
        ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED\
        """;

    private static final String LEASE = """
        UPDATE send_outbox SET leased_until = now() + make_interval(secs => ?) WHERE address_id = ANY (?)
        RETURNING address_id, value, leased_until, attempts, traceparent\
        """;

    private static final String ENDED =
            "SELECT now() WHERE EXISTS (SELECT FROM send_outbox WHERE leased_until < now())";

    // The longer the mailers are down, the less often a request is published again.
    private static final String RELEASE = """
        UPDATE send_outbox SET leased_until = NULL,
            due_at = now() + least((now() - created_at) / 4, interval '15 minutes', (expires_at - now()) / 2)
        WHERE leased_until < ?\
        """;

    private static final String DEFER = """
        UPDATE send_outbox SET leased_until = NULL, due_at = ?, attempts = ?,
            last_failure = ?, reply_code = ?, enhanced_status = ?
        WHERE address_id = ? AND leased_until = ?\
        """;

    private static final String EXTEND =
            "UPDATE send_outbox SET leased_until = ? WHERE address_id = ? AND leased_until = ?";

    private static final String GIVE_BACK =
            "UPDATE send_outbox SET leased_until = NULL WHERE address_id = ? AND leased_until = ?";

    private static final String ENDS =
            " RETURNING address_id, created_at, attempts, last_failure, reply_code, enhanced_status, bounced_status,"
                    + " recipient_digest";

    /** Locks in the order of ids, as every transaction does that waits for rows. */
    private static final String REMOVE = """
        DELETE FROM send_outbox WHERE address_id IN (
            SELECT address_id FROM send_outbox WHERE address_id = ANY (?) ORDER BY address_id FOR UPDATE)\
        """ + ENDS;

    private static final String EXPIRE = """
        DELETE FROM send_outbox WHERE address_id IN (
            SELECT address_id FROM send_outbox WHERE expires_at <= now() LIMIT ? FOR UPDATE SKIP LOCKED)\
        """ + ENDS;

    private static final String STATE = """
        SELECT count(*) FILTER (WHERE leased_until IS NULL AND due_at <= now()),
            coalesce(extract(epoch FROM now() - min(due_at) FILTER (WHERE leased_until IS NULL AND due_at <= now())), 0),
            count(*) FILTER (WHERE leased_until IS NOT NULL)
        FROM send_outbox\
        """;

    private final Database database;
    private final Settlements settlements;
    private final Event<Due> due;
    private final RecordSpans spans;
    private final InstantSource clock;

    Outbox(Database database, Settlements settlements, Event<Due> due, RecordSpans spans, InstantSource clock) {
        this.database = database;
        this.settlements = settlements;
        this.due = due;
        this.spans = spans;
        this.clock = clock;
    }

    /** Fired when a row is added or a place in the window becomes free, in the same transaction. */
    record Due() {}

    /**
     * A request that the mailers may attempt once.
     *
     * @param trace has the span of its publication, which ends when Kafka has it
     */
    record Leased(String addressId, Octets value, SendLease lease, Context trace) {}

    /**
     * The state of the table.
     *
     * @param due could be published now
     * @param oldestSeconds for how long the first of these has been due
     * @param leased are with the mailers
     */
    record State(long due, double oldestSeconds, long leased) {}

    /**
     * Adds a request, along with the current trace.
     *
     * @param recipient whose notifications count; null if none do
     */
    public void add(String addressId, @Nullable String recipient, byte[] value, Instant expiresAt) {
        String digest = recipient == null ? null : RecipientDigest.of(addressId, recipient);
        database.update(ADD, addressId, value, expiresAt, TraceContext.traceparent(Context.current()), digest);
        due.fire(new Due());
    }

    /** Adds what an event asks for, unless the same event has done so before. */
    public void addOnce(String id, byte[] value, Instant expiresAt) {
        database.update(ADD_ONCE, id, value, expiresAt, TraceContext.traceparent(Context.current()), id);
        due.fire(new Due());
    }

    /**
     * Records that a relayed mail has bounced, if the notification names its recipient. If the send is not settled yet, the bounce is stored in the row of the request. The
     * order of the statements is that of {@link #settle}.
     */
    public void bounced(SendBounced bounce) {
        String addressId = bounce.addressId();
        List<String> recipients = new ArrayList<>();
        List<String> statuses = new ArrayList<>();
        bounce.failed().forEach((recipient, status) -> {
            recipients.add(RecipientDigest.of(addressId, recipient));
            statuses.add(status);
        });
        database.update(NOTE_BOUNCE, recipients, statuses, addressId);
        settlements.bounced(addressId, recipients, statuses);
    }

    /** Whether there is something to lease. */
    boolean hasDue() {
        return database.row(HAS_DUE, row -> row.getBoolean(1)).orElseThrow();
    }

    /**
     * Leases the mails that have been due for longest.
     *
     * @param window the most mails leased at a time, by all replicas
     * @param time how long the leases last
     * @param rowsMax the most mails of this pass
     * @param bytesMax the most bytes of this pass, unless a single mail has more
     */
    List<Leased> lease(int window, Duration time, int rowsMax, long bytesMax) {
        int room = database.row(ROOM, row -> row.getInt(1), window).orElseThrow();
        List<String> ids = due(Math.clamp(room, 0, rowsMax), bytesMax);
        return ids.isEmpty() ? List.of() : database.rows(LEASE, this::leased, time.toMillis() / 1e3, ids);
    }

    private Leased leased(ResultSet row) throws SQLException {
        return new Leased(
                row.getString(1),
                Octets.of(row.getBytes(2)),
                new SendLease(row.getTimestamp(3).toInstant(), row.getInt(4)),
                spans.send(Topic.MAIL_DUE.topicName(), TraceContext.parse(row.getString(5))));
    }

    private List<String> due(int rowsMax, long bytesMax) {
        List<String> ids = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<String, Long> due :
                database.rows(DUE, row -> Map.entry(row.getString(1), row.getLong(2)), rowsMax)) {
            bytes += due.getValue();
            if (ids.isEmpty() || bytes <= bytesMax) {
                ids.add(due.getKey());
            }
        }
        return ids;
    }

    /** The database's time, if there is a lease that has ended. */
    Optional<Instant> withEndedLease() {
        return database.row(ENDED, row -> row.getTimestamp(1).toInstant());
    }

    /** Frees requests whose leases ended before this time; they are due again later. Returns how many. */
    int release(Instant before) {
        return database.update(RELEASE, before);
    }

    /** Ends leases under which nothing was attempted. */
    void giveBack(Collection<Leased> leases) {
        database.updateAll(GIVE_BACK, leases, one ->
                new @Nullable Object[] {one.addressId(), one.lease().until()});
    }

    /** Extends leases, unless their requests have been leased again since. */
    void extend(Collection<LeaseExtended> events) {
        database.updateAll(EXTEND, events, event ->
                new @Nullable Object[] {event.until(), event.addressId(), event.leasedUntil()});
    }

    /** Makes requests due later, unless they were leased again since, or are settled. */
    void defer(List<MailDeferred> events) {
        database.updateAll(
                GIVE_BACK,
                events.stream().filter(event -> event.failure() == null).toList(),
                event -> new @Nullable Object[] {event.addressId(), event.leasedUntil()});
        database.updateAll(
                DEFER, events.stream().filter(event -> event.failure() != null).toList(), Outbox::deferral);
    }

    private static @Nullable Object[] deferral(MailDeferred event) {
        MailSettled.Reply reply = event.reply();
        return new @Nullable Object[] {
            event.dueAt(),
            event.attempts(),
            String.valueOf(event.failure()),
            reply == null ? null : reply.code(),
            reply == null ? null : reply.enhancedStatus(),
            event.addressId(),
            event.leasedUntil()
        };
    }

    /** Removes requests that mailers have settled. */
    void settle(Collection<MailSettled> ends) {
        List<Removed> removed = database.rows(
                REMOVE, Removed::of, ends.stream().map(MailSettled::addressId).toList());
        record(ends, null, removed);
        // There is room in the window again.
        due.fire(new Due());
    }

    /**
     * Removes the requests of an account's deleted addresses. A mail that a mailer is sending at that moment may still go out, and is
     * then recorded as relayed.
     */
    public void withdraw(UUID accountId, Collection<String> addressIds) {
        List<Removed> removed = database.rows(REMOVE, Removed::of, addressIds);
        record(ends(removed, MailSettled.Outcome.DELETED), accountId, removed);
    }

    /** Removes requests whose addresses have expired. */
    void expire(int rowsMax) {
        List<Removed> removed = database.rows(EXPIRE, Removed::of, rowsMax);
        record(ends(removed, MailSettled.Outcome.EXPIRED), null, removed);
    }

    private List<MailSettled> ends(List<Removed> removed, MailSettled.Outcome outcome) {
        Instant now = clock.instant();
        return removed.stream().map(request -> request.end(outcome, now)).toList();
    }

    /** Records ends, then the bounces that waited for them. */
    private void record(Collection<MailSettled> ends, @Nullable UUID accountId, List<Removed> removed) {
        Map<String, String> recipients = new HashMap<>();
        for (Removed request : removed) {
            if (request.recipientDigest() != null) {
                recipients.put(request.addressId(), request.recipientDigest());
            }
        }
        settlements.record(ends, accountId, recipients);
        for (Removed request : removed) {
            if (request.bouncedStatus() != null && request.recipientDigest() != null) {
                settlements.bounced(
                        request.addressId(), List.of(request.recipientDigest()), List.of(request.bouncedStatus()));
            }
        }
    }

    /** A request that has left the table. */
    private record Removed(
            String addressId,
            Instant requestedAt,
            int attempts,
            MailSettled.@Nullable Failure lastFailure,
            MailSettled.@Nullable Reply reply,
            @Nullable String bouncedStatus,
            @Nullable String recipientDigest) {

        static Removed of(ResultSet row) throws SQLException {
            String failure = row.getString(4);
            Integer replyCode = row.getObject(5, Integer.class);
            return new Removed(
                    row.getString(1),
                    row.getTimestamp(2).toInstant(),
                    row.getInt(3),
                    failure == null ? null : MailSettled.Failure.valueOf(failure),
                    replyCode == null ? null : new MailSettled.Reply(replyCode, row.getString(6)),
                    row.getString(7),
                    row.getString(8));
        }

        MailSettled end(MailSettled.Outcome outcome, Instant now) {
            return new MailSettled(addressId, outcome, lastFailure, reply, attempts, requestedAt, now);
        }
    }

    State state() {
        return database.row(STATE, row -> new State(row.getLong(1), row.getDouble(2), row.getLong(3)))
                .orElseThrow();
    }
}
