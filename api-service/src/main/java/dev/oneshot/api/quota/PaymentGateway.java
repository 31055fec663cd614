package dev.oneshot.api.quota;

import java.util.UUID;

/** Collects the payments for purchases. */
interface PaymentGateway {

    /**
     * Accepts a purchase in the transaction that credits it: both are committed, or neither is. A gateway never calls a provider
     * from here, as a charge cannot be rolled back: it records what to do, and does it afterwards.
     *
     * @param reference the name of the purchase for client, ledger and payment; never used twice
     * @param credits at least 1
     * @throws dev.oneshot.api.error.ApiException to reject the purchase; then nothing is credited
     */
    void accept(String reference, UUID accountId, int credits);
}
