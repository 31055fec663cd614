package dev.oneshot.api.quota;

import dev.oneshot.api.account.Plan;
import java.util.List;
import java.util.UUID;

/**
 * The price of one address: one of the billing cycle's allocation, or one credit if none is left. One statement charges it and
 * creates the address, so that neither happens without the other. Concurrent charges wait for the lock on the account's row, and
 * then read its newest version.
 *
 * @param accountId who pays
 * @param cycle the present billing cycle; if a slow clock puts it before the account's own, the account's own counts
 * @param plan says how many addresses a cycle includes
 */
public record QuotaCharge(UUID accountId, int cycle, Plan plan) {

    /**
     * A common table expression {@code charged} with the account's {@code id}, or no row if nothing is left. {@code used} counts
     * the addresses that were taken from the allocation; credits are only spent beyond it. The first charges at 80 % and at 100 %
     * of a cycle's allocation each add a letter to the account's contact.
     */
    public static final String CHARGED = """
            present AS (
                SELECT ?::integer AS cycle, ?::bigint AS allocation),
            charged AS (
                UPDATE account SET
                    cycle = greatest(account.cycle, present.cycle),
                    used = CASE
                        WHEN account.cycle < present.cycle THEN least(present.allocation, 1)
                        WHEN account.used < present.allocation THEN account.used + 1
                        ELSE account.used END,
                    credits_spent = CASE
                        WHEN present.allocation > 0
                            AND (account.cycle < present.cycle OR account.used < present.allocation)
                            THEN account.credits_spent
                        ELSE account.credits_spent + 1 END
                FROM present
                WHERE account.id = ? AND account.deleted_at IS NULL
                    AND (account.credits_spent < account.credits_bought
                        OR present.allocation > 0
                            AND (account.cycle < present.cycle OR account.used < present.allocation))
                RETURNING account.id, account.cycle, account.used, present.allocation, account.contact_email),
            letter AS (
                INSERT INTO letter (account_id, kind, occasion, amount, total)
                SELECT id, CASE WHEN used < allocation THEN 'ALLOCATION_NEARLY_USED' ELSE 'ALLOCATION_USED' END,
                    cycle, used, allocation
                FROM charged WHERE contact_email IS NOT NULL AND allocation > 0 AND used * 5 >= allocation * 4
                ON CONFLICT DO NOTHING)
            """;

    /** The parameters of {@link #CHARGED}. */
    public List<Object> parameters() {
        return List.of(cycle, plan.addressesPerMonth(), accountId);
    }
}
