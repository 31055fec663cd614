package dev.oneshot.api.sending;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.paging.Position;
import dev.oneshot.contracts.event.MailSettled;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** The table {@code send_settlement}, whose old rows expiry-service deletes. */
@ApplicationScoped
@Transactional
public class Settlements implements PanacheRepositoryBase<Settlements.Settlement, String> {

    /**
     * A later outcome replaces an earlier one. RELAYED replaces every outcome except BOUNCED, and only BOUNCED replaces RELAYED: a
     * mail that was deleted or expired while a mailer was sending it has been sent.
     */
    private static final String RECORD = """
        INSERT INTO send_settlement (address_id, account_id, outcome, failure, reply_code, enhanced_status, attempts,
            requested_at, settled_at, recipient_digest)
        VALUES (?, coalesce(?::uuid, (SELECT account_id FROM address WHERE id = ?)), ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (address_id) DO UPDATE SET outcome = excluded.outcome, failure = excluded.failure,
            reply_code = excluded.reply_code, enhanced_status = excluded.enhanced_status,
            attempts = excluded.attempts, settled_at = excluded.settled_at,
            requested_at = coalesce(excluded.requested_at, send_settlement.requested_at),
            recipient_digest = coalesce(excluded.recipient_digest, send_settlement.recipient_digest)
        WHERE send_settlement.outcome <> 'BOUNCED' AND (excluded.outcome = 'RELAYED'
            OR (send_settlement.outcome <> 'RELAYED' AND send_settlement.settled_at <= excluded.settled_at))\
        """;

    /** A mail that bounced has been relayed, whether or not a mailer could still report it. */
    private static final String BOUNCE = """
        UPDATE send_settlement SET outcome = 'BOUNCED', reply_code = NULL, enhanced_status = bounce.status,
            settled_at = greatest(settled_at, now())
        FROM unnest(?::text[], ?::text[]) AS bounce (recipient, status)
        WHERE address_id = ? AND recipient_digest = bounce.recipient
            AND outcome IN ('RELAYED', 'DELETED', 'EXPIRED')\
        """;

    private static final String SHOWN = "select addressId, accountId, lower(outcome), lower(failure), replyCode,"
            + " enhancedStatus, attempts, requestedAt, settledAt from Settlement where ";

    private final Database database;
    private final Counter bounced;

    Settlements(Database database, MeterRegistry registry) {
        this.database = database;
        this.bounced = settled(registry, MailSettled.Outcome.BOUNCED);
    }

    /** Counts requests with this outcome. */
    static Counter settled(MeterRegistry registry, MailSettled.Outcome outcome) {
        return Counter.builder("oneshot.sends.settled")
                .description("Requests to send whose end was recorded")
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    /** A row of {@code send_settlement}. */
    @Entity(name = "Settlement")
    @Immutable
    @Table(name = "send_settlement")
    @SuppressWarnings("NullAway.Init")
    static class Settlement {

        @Id
        String addressId;

        @Nullable
        UUID accountId;

        String outcome;

        @Nullable
        String failure;

        @Nullable
        Integer replyCode;

        @Nullable
        String enhancedStatus;

        int attempts;

        @Nullable
        Instant requestedAt;

        Instant settledAt;
    }

    /** An end as the operator sees it, with names in lower case. */
    @RegisterForReflection
    public record Row(
            String addressId,
            @Nullable UUID accountId,
            String outcome,
            @Nullable String failure,
            @Nullable Integer replyCode,
            @Nullable String enhancedStatus,
            int attempts,
            @Nullable Instant requestedAt,
            Instant settledAt) {}

    /**
     * Records ends.
     *
     * @param accountId for addresses that are deleted; null if the rows of the addresses have it
     * @param recipients the digests of the known recipients, by address
     */
    void record(Collection<MailSettled> events, @Nullable UUID accountId, Map<String, String> recipients) {
        database.updateAll(RECORD, events, event -> end(event, accountId, recipients.get(event.addressId())));
    }

    /**
     * Sets the outcome to bounced, if one of these digests is that of the recipient, and the mail was relayed, or was deleted or
     * expired while a mailer had it.
     */
    void bounced(String addressId, List<String> recipients, List<String> statuses) {
        bounced.increment(database.update(BOUNCE, recipients, statuses, addressId));
    }

    private static @Nullable Object[] end(MailSettled event, @Nullable UUID accountId, @Nullable String recipient) {
        MailSettled.Reply reply = event.reply();
        return new @Nullable Object[] {
            event.addressId(),
            accountId,
            event.addressId(),
            event.outcome().name(),
            event.lastFailure() == null ? null : event.lastFailure().name(),
            reply == null ? null : reply.code(),
            reply == null ? null : reply.enhancedStatus(),
            event.attempts(),
            event.requestedAt(),
            event.settledAt(),
            recipient
        };
    }

    /**
     * Ends, newest first.
     *
     * @param before the page has the rows after this position
     * @param outcome only these, if not null
     * @param addressId only this, if not null
     */
    public List<Row> list(Position before, @Nullable String outcome, @Nullable String addressId, int rowsMax) {
        String ends = "(settledAt, addressId) < (:time, :id)";
        Map<String, Object> parameters = new HashMap<>(Map.of("time", before.createdAt(), "id", before.id()));
        if (outcome != null) {
            ends += " and outcome = :outcome";
            parameters.put("outcome", outcome);
        }
        if (addressId != null) {
            ends += " and addressId = :addressId";
            parameters.put("addressId", addressId);
        }
        return find(SHOWN + ends + " order by settledAt desc, addressId desc", parameters)
                .project(Row.class)
                .range(0, rowsMax - 1)
                .list();
    }
}
