package dev.oneshot.api.account;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.oneshot.contracts.setting.ValidSetting;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for less than a second which account a key belongs to. Concurrent requests with one new key look it up once. A signed
 * key without an account was replaced or its account deleted, which is final, so that is remembered for longer.
 */
@ApplicationScoped
public class KeyRing {

    private static final Duration TIME_MAX = Duration.ofSeconds(1);

    /** Longer than a look-up takes, and longer than a key is remembered. */
    private static final Duration CHANGE_REMEMBERED = Duration.ofMinutes(1);

    private final AccountStore accounts;
    private final long believedNanos;
    private final Ticker ticker;
    private final Cache<UUID, Long> changedAtNanos =
            Caffeine.newBuilder().expireAfterWrite(CHANGE_REMEMBERED).build();
    private final AsyncCache<ApiKey.Hash, LookUp> lookUps;

    /**
     * The result of a look-up in the database.
     *
     * @param isFinal whether no account can get the key any more: none has it, and only this service can have issued it
     */
    private record LookUp(Optional<Account> account, boolean isFinal, long askedAtNanos) {}

    /** How long the accounts of API keys are remembered. */
    @ConfigMapping(prefix = "oneshot.key-cache")
    public interface Config {

        /** How long a replica remembers the account of a key, at most 1 s. A replaced key stays valid on other replicas for that long. */
        @WithDefault("PT0.8S")
        Duration time();

        /** How long a replica remembers that a signed key has no account. */
        @WithDefault("PT10M")
        Duration forget();

        /** How many keys are remembered; some 400 bytes each. */
        @WithDefault("50000")
        int entries();
    }

    KeyRing(AccountStore accounts, Config config, @VirtualThreads ExecutorService virtualThreads, Ticker ticker) {
        this.accounts = accounts;
        this.believedNanos = ValidSetting.between("oneshot.key-cache.time", config.time(), Duration.ZERO, TIME_MAX)
                .toNanos();
        this.ticker = ticker;
        this.lookUps = Caffeine.newBuilder()
                .expireAfterWrite(config.forget())
                .maximumSize(config.entries())
                .executor(virtualThreads)
                .buildAsync();
    }

    /** Whether {@link #find} needs no database for this key. */
    public boolean isKnown(ApiKey key) {
        @Nullable CompletableFuture<LookUp> remembered = lookUps.getIfPresent(key.sha256());
        return remembered != null
                && remembered.isDone()
                && !remembered.isCompletedExceptionally()
                && isBelieved(remembered.join());
    }

    /** The account of this key; never blocks. A failure of the database is not remembered. */
    public CompletableFuture<Optional<Account>> find(ApiKey key) {
        return find(key, ticker.read());
    }

    private CompletableFuture<Optional<Account>> find(ApiKey key, long arrivedAt) {
        CompletableFuture<LookUp> lookUp = lookUps.get(key.sha256(), asked -> ask(key));
        // The cache drops failures itself, but maybe only after a waiting client has retried.
        CompletableFuture<LookUp> forgotten = lookUp.whenComplete((found, failure) -> {
            if (failure != null) {
                lookUps.asMap().remove(key.sha256(), lookUp);
            }
        });
        return forgotten.thenCompose(found -> {
            // A result requested after this request arrived is current, however long it took.
            if (found.askedAtNanos() - arrivedAt >= 0 || isBelieved(found)) {
                return CompletableFuture.completedFuture(found.account());
            }
            lookUps.asMap().remove(key.sha256(), lookUp);
            return find(key, arrivedAt);
        });
    }

    private LookUp ask(ApiKey key) {
        long askedAt = ticker.read();
        Optional<Account> account = accounts.findByKey(key.sha256());
        return new LookUp(account, account.isEmpty() && key.isSigned(), askedAt);
    }

    private boolean isBelieved(LookUp lookUp) {
        boolean isYoung = ticker.read() - lookUp.askedAtNanos() < believedNanos;
        if (lookUp.account().isEmpty()) {
            return isYoung || lookUp.isFinal();
        }
        Long changedAt = changedAtNanos.getIfPresent(lookUp.account().get().id());
        return isYoung && (changedAt == null || changedAt - lookUp.askedAtNanos() < 0);
    }

    /** After the transaction: a value read before its commit must not count as newer than the change. */
    void changedHere(@Observes(during = TransactionPhase.AFTER_COMPLETION) AccountStore.Changed account) {
        changedAtNanos.put(account.id(), ticker.read());
    }
}
