package dev.oneshot.api.auth;

import dev.oneshot.api.account.AccountStore;
import dev.oneshot.api.account.ApiKey;
import dev.oneshot.contracts.setting.ValidSetting;
import dev.oneshot.contracts.signing.SigningKey;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Issues, replaces and verifies API keys. */
@Startup
@ApplicationScoped
public class ApiKeys {

    private final AccountStore accounts;
    private final List<SigningKey> signingKeys;
    private final SecureRandom random = new SecureRandom();

    /** How API keys are signed. */
    @ConfigMapping(prefix = "oneshot.api-key")
    public interface Config {

        /**
         * The secrets that sign API keys, base64 of at least 32 bytes each; the first signs, all verify. Every replica has
         * the same list. A key whose secret is missing from it is 401.
         */
        List<String> secrets();
    }

    ApiKeys(AccountStore accounts, Config config) {
        this.accounts = accounts;
        this.signingKeys =
                ValidSetting.made("oneshot.api-key.secrets", () -> SigningKey.listOfBase64(config.secrets()));
    }

    /** A new key, the one time that it is shown. */
    @RegisterForReflection
    public record NewKey(String apiKey) {}

    /** A new key, without an account yet. */
    public ApiKey generate() {
        return ApiKey.generate(random, signingKeys.getFirst());
    }

    /** Reads a client's key without the database; empty if this service cannot have issued it. */
    Optional<ApiKey> verify(String token) {
        return ApiKey.verify(token, signingKeys);
    }

    /**
     * Gives the account a new key. The old one is rejected at once on this replica, and within a second on all others.
     * Empty if there is no such account, or its key is another one: of several requests that replace a key at once, one gets a new key.
     *
     * @param present the key to replace; null for any
     */
    public Optional<NewKey> replace(UUID accountId, ApiKey.@Nullable Hash present) {
        ApiKey key = generate();
        return accounts.replaceKey(accountId, present, key.sha256()).map(row -> new NewKey(key.reveal()));
    }
}
