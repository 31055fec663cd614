package dev.oneshot.api.account;

import dev.oneshot.contracts.signing.SigningKey;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Issues, replaces and verifies API keys. */
@Startup
@ApplicationScoped
public class ApiKeys {

    private final AccountStore accounts;
    private final List<SigningKey> signingKeys;
    private final SecureRandom random = new SecureRandom();

    ApiKeys(AccountStore accounts, ApiKeyConfig config) {
        this.accounts = accounts;
        try {
            this.signingKeys = SigningKey.listOfBase64(config.secrets());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("oneshot.api-key.secrets: " + e.getMessage(), e);
        }
    }

    /** A new key, without an account yet. */
    public ApiKey generate() {
        return ApiKey.generate(random, signingKeys.getFirst());
    }

    /** Reads what a client sent, without the database; empty if this service cannot have issued it. */
    Optional<ApiKey> verify(String token) {
        return ApiKey.verify(token, signingKeys);
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
