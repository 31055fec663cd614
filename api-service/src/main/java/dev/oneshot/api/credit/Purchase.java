package dev.oneshot.api.credit;

import java.util.UUID;

/**
 * Credits that an account buys.
 *
 * @param reference under which client, ledger and payment know it; never used twice
 * @param credits at least 1
 */
record Purchase(String reference, UUID accountId, int credits) {}
