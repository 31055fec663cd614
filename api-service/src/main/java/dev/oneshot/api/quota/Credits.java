package dev.oneshot.api.quota;

import dev.oneshot.api.account.Caller;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.idempotency.Idempotency;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Gives credits to accounts. Every entry of the ledger is added together with the balance it changes, in one transaction. */
@ApplicationScoped
public class Credits implements PanacheRepository<Credits.CreditEntry> {

    /** How many credits are given at once. */
    public static final int MAX = 1_000_000;

    /** Raises the balance, and adds a letter to the account's contact, or to the one that waits. */
    private static final String CREDIT = """
            WITH credited AS (
                UPDATE account SET credits_bought = credits_bought + :credits
                WHERE id = :id AND deleted_at IS NULL
                RETURNING id, contact_email, credits_bought - credits_spent AS balance),
            letter AS (
                INSERT INTO letter (account_id, kind, occasion, amount, total, reference)
                SELECT id, 'CREDITS_ADDED', cast(gen_random_uuid() AS text), :credits, balance, :reference
                FROM credited WHERE contact_email IS NOT NULL
                ON CONFLICT (account_id, kind) WHERE queued_at IS NULL DO UPDATE SET
                    amount = letter.amount + excluded.amount, total = excluded.total, created_at = excluded.created_at,
                    reference = CASE WHEN length(letter.reference) < 1000
                        THEN letter.reference || ', ' || excluded.reference
                        ELSE rtrim(letter.reference, ', …') || ', …' END)
            SELECT balance FROM credited""";

    private final PaymentGateway payments;
    private final Idempotency idempotency;

    Credits(PaymentGateway payments, Idempotency idempotency) {
        this.payments = payments;
        this.idempotency = idempotency;
    }

    /** An entry of the ledger. */
    @Entity(name = "CreditEntry")
    @SuppressWarnings("NullAway.Init")
    static class CreditEntry {

        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        long id;

        UUID accountId;
        int credits;

        /** Who gave credits. */
        String origin;

        String reference;
    }

    /**
     * Credits that were added, as responses show them.
     *
     * @param credits the new balance
     */
    public record Added(int creditsAdded, long credits, String reference) {}

    /**
     * Sells credits, once for one {@code Idempotency-Key}.
     *
     * @param credits as {@link #checked} returns it
     * @throws ApiException 401 if the account has been deleted, 409 while a request with the same key runs, 422 if that key had another
     *     body
     */
    Added buy(UUID accountId, Optional<Idempotency.Key> key, int credits) {
        return idempotency.once(key, Added.class, () -> sell(accountId, credits).orElseThrow(Caller::gone));
    }

    /** Sells credits without regard to {@code Idempotency-Key}; empty if there is no such account. */
    @Transactional
    Optional<Added> sell(UUID accountId, int credits) {
        String reference = "purchase-" + UUID.randomUUID();
        Optional<Added> added = add(accountId, credits, "purchase", reference);
        added.ifPresent(_ -> payments.accept(reference, accountId, credits));
        return added;
    }

    /**
     * Gives credits in the operator's name, and a letter to the account's contact; empty if there is no such account.
     *
     * @param credits as {@link #checked} returns it
     */
    @Transactional
    public Optional<Added> give(UUID accountId, int credits, String reference) {
        return add(accountId, credits, "operator", reference);
    }

    private Optional<Added> add(UUID accountId, int credits, String origin, String reference) {
        List<Long> balance = getSession()
                .createNativeQuery(CREDIT, Long.class)
                .setParameter("credits", credits)
                .setParameter("id", accountId)
                .setParameter("reference", reference)
                .getResultList();
        if (balance.isEmpty()) {
            return Optional.empty();
        }
        CreditEntry entry = new CreditEntry();
        entry.accountId = accountId;
        entry.credits = credits;
        entry.origin = origin;
        entry.reference = reference;
        persist(entry);
        return Optional.of(new Added(credits, balance.getFirst(), reference));
    }

    /**
     * A requested number of credits.
     *
     * @throws ApiException 400 if it is missing or out of range
     */
    public static int checked(@Nullable Long credits) {
        if (credits == null || credits < 1 || credits > MAX) {
            throw ApiException.invalid("credits must be between 1 and " + MAX);
        }
        return credits.intValue();
    }
}
