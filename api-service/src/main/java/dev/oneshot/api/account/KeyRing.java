package dev.oneshot.api.account;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.idempotency.Idempotency;
import dev.oneshot.contracts.setting.ValidSetting;
import dev.oneshot.contracts.signing.SigningKey;
import io.quarkus.runtime.Startup;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.config.ConfigMapping;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Issues, replaces and verifies API keys. Remembers for less than a second which account a key belongs to. Concurrent requests with
 * one new key look it up once. A key without an account was replaced, or its account was deleted. Both are final, so they are
 * remembered for ten minutes.
 */
@Startup
@ApplicationScoped
public class KeyRing {

    /** A replaced key stays valid on other replicas for that long, which must be less than a second. */
    private static final Duration FRESH_FOR = Duration.ofMillis(800);

    private static final Duration FORGET = Duration.ofMinutes(10);

    /** Some 400 bytes each. */
    private static final int ENTRIES_MAX = 50_000;

    /** Longer than a look-up takes, and longer than a key is remembered. */
    private static final Duration CHANGE_REMEMBERED = Duration.ofMinutes(1);

    private final AccountStore accounts;
    private final List<SigningKey> signingKeys;
    private final SecureRandom random = new SecureRandom();
    private final Ticker ticker;
    private final Cache<UUID, Long> changedAtNanos =
            Caffeine.newBuilder().expireAfterWrite(CHANGE_REMEMBERED).build();
    private final AsyncCache<ApiKey.Hash, LookUp> lookUps;

    /** The result of a look-up in the database. */
    private record LookUp(
            Optional<Account> account, Optional<AccountStore.Replacement> replacement, long askedAtNanos) {}

    /** How API keys are signed. */
    @ConfigMapping(prefix = "oneshot.api-key")
    public interface Config {

        /**
         * The secrets that sign API keys, base64 of at least 32 bytes each; the first signs, all verify. Every replica has
         * the same list. A key whose secret is missing from it gets 401.
         */
        List<String> secrets();
    }

    KeyRing(AccountStore accounts, Config config, @VirtualThreads ExecutorService virtualThreads, Ticker ticker) {
        this.accounts = accounts;
        this.signingKeys =
                ValidSetting.made("oneshot.api-key.secrets", () -> SigningKey.listOfBase64(config.secrets()));
        this.ticker = ticker;
        this.lookUps = Caffeine.newBuilder()
                .expireAfterWrite(FORGET)
                .maximumSize(ENTRIES_MAX)
                .executor(virtualThreads)
                .buildAsync();
    }

    /** A new key, in the only response that shows it. */
    public record NewKey(String apiKey) {}

    /** A new key, without an account yet. */
    public ApiKey generate() {
        return ApiKey.generate(random, signingKeys.getFirst());
    }

    /** Reads a client's key without the database; empty if this service cannot have issued it. */
    public Optional<ApiKey> verify(String token) {
        return ApiKey.verify(token, signingKeys);
    }

    /**
     * Gives the account a new key. The old one is rejected at once on this replica, and within a second on all others.
     * Empty if there is no such account, or its key is another one: of several requests that replace a key at once, one gets a new
     * key.
     *
     * @param present the key to replace; null for any
     */
    public Optional<NewKey> replace(UUID accountId, ApiKey.@Nullable Hash present) {
        ApiKey key = generate();
        return accounts.replaceKey(accountId, present, key.sha256(), Optional.empty())
                .map(row -> new NewKey(key.reveal()));
    }

    /**
     * As {@link #replace(UUID, ApiKey.Hash)}, but for ten minutes a repetition of the request gets the same new key, with the old key or
     * with the new one, unless the key has been replaced again.
     *
     * @throws ApiException 422 if the {@code Idempotency-Key} was used for another request
     */
    public Optional<NewKey> replaceOnce(ApiKey present, Idempotency.Key retry) {
        return repeated(present, retry)
                .or(() -> {
                    ApiKey next = present.successor(retry.text(), signingKeys.getFirst());
                    return accounts.replaceKey(retry.accountId(), present.sha256(), next.sha256(), Optional.of(retry))
                            .map(_ -> next);
                })
                // A concurrent request has replaced the key first.
                .or(() -> repeated(present, retry))
                .map(key -> new NewKey(key.reveal()));
    }

    private Optional<ApiKey> repeated(ApiKey present, Idempotency.Key retry) {
        return accounts.replaced(retry).flatMap(replaced -> {
            boolean isSame = replaced.requestSha256().equals(retry.requestSha256());
            if (replaced.present().equals(present.sha256())) {
                if (!isSame) {
                    throw Idempotency.otherRequest();
                }
                return Optional.of(present);
            }
            return signingKeys.stream()
                    .filter(_ -> isSame && replaced.old().equals(present.sha256()))
                    .map(key -> present.successor(retry.text(), key))
                    .filter(next -> next.sha256().equals(replaced.present()))
                    .findFirst();
        });
    }

    /** The account of this key; never blocks. A failure of the database is not remembered. */
    public CompletableFuture<Optional<Account>> find(ApiKey key) {
        return find(key, ticker.read()).thenApply(LookUp::account);
    }

    /** The same for a request that replaces the key; also finds the account of a key which that very request has replaced. */
    public CompletableFuture<Optional<Account>> findToReplace(ApiKey key, String idempotencyKey) {
        return find(key, ticker.read())
                .thenApply(found -> found.account()
                        .or(() -> found.replacement()
                                .filter(replacement ->
                                        replacement.idempotencyKey().equals(idempotencyKey))
                                .map(AccountStore.Replacement::account)));
    }

    private CompletableFuture<LookUp> find(ApiKey key, long arrivedAt) {
        CompletableFuture<LookUp> lookUp = lookUps.get(key.sha256(), asked -> ask(key));
        return lookUp.thenCompose(found -> {
            // A look-up that began after this request arrived is current, even if it took long.
            if (found.askedAtNanos() - arrivedAt >= 0 || isFresh(found)) {
                return CompletableFuture.completedFuture(found);
            }
            lookUps.asMap().remove(key.sha256(), lookUp);
            return find(key, arrivedAt);
        });
    }

    private LookUp ask(ApiKey key) {
        long askedAt = ticker.read();
        Optional<Account> account = accounts.findByKey(key.sha256());
        return new LookUp(
                account, account.isPresent() ? Optional.empty() : accounts.findByReplacedKey(key.sha256()), askedAt);
    }

    private boolean isFresh(LookUp lookUp) {
        // Final, as only this service can have issued the key.
        if (lookUp.account().isEmpty()) {
            return true;
        }
        boolean isYoung = ticker.read() - lookUp.askedAtNanos() < FRESH_FOR.toNanos();
        Long changedAt = changedAtNanos.getIfPresent(lookUp.account().get().id());
        return isYoung && (changedAt == null || changedAt - lookUp.askedAtNanos() < 0);
    }

    /** After the transaction: a value read before its commit must not count as newer than the change. */
    void noteChange(@Observes(during = TransactionPhase.AFTER_COMPLETION) AccountStore.Changed account) {
        changedAtNanos.put(account.id(), ticker.read());
    }
}
