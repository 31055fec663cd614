package dev.oneshot.api.account;

import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.UUID;

/** Makes API keys and puts them in the place of others. */
@ApplicationScoped
public class ApiKeys {

    private final AccountStore accounts;
    private final SecureRandom random = new SecureRandom();

    ApiKeys(AccountStore accounts) {
        this.accounts = accounts;
    }

    /** A new key, which belongs to nobody yet. */
    public ApiKey generate() {
        return ApiKey.generate(random);
    }

    /**
     * Gives the account a new key. The old one is refused at once on this replica, and within a second on all others.
     * Empty if there is no such account.
     */
    public Optional<ApiKey> replace(UUID accountId) {
        ApiKey key = generate();
        return accounts.replaceKey(accountId, key.sha256()).map(row -> key);
    }

    /**
     * Does the same if this is still the account's key: of several who replace one key at once, one gets a new one.
     * Empty for the others.
     */
    Optional<ApiKey> replace(UUID accountId, ApiKey.Hash present) {
        ApiKey key = generate();
        return accounts.replaceKey(accountId, present, key.sha256()).map(row -> key);
    }
}
