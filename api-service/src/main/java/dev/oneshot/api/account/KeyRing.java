package dev.oneshot.api.account;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * Which account a key belongs to, without asking the database at every request: an answer is believed for at most a
 * second, also the one that there is no such key. Many requests with one new key at once ask once.
 */
@ApplicationScoped
public class KeyRing {

    private static final Duration TIME_MAX = Duration.ofSeconds(1);

    private final AccountStore accounts;
    private final AsyncCache<ApiKey.Hash, Optional<Account>> answers;

    KeyRing(AccountStore accounts, KeyCacheConfig config, @VirtualThreads ExecutorService virtualThreads) {
        if (config.time().compareTo(TIME_MAX) > 0 || config.time().isNegative()) {
            throw new IllegalArgumentException("oneshot.key-cache.time must be at most " + TIME_MAX);
        }
        this.accounts = accounts;
        this.answers = Caffeine.newBuilder()
                .expireAfterWrite(config.time())
                .maximumSize(config.entries())
                .executor(virtualThreads)
                .buildAsync();
    }

    /** The account of this key; never blocks. Fails as the database does, and then is asked anew. */
    public CompletableFuture<Optional<Account>> find(ApiKey.Hash key) {
        return answers.get(key, accounts::findByKey);
    }

    /** Forgets what it knows of a key, as it has just been replaced. */
    public void forget(ApiKey.Hash key) {
        answers.synchronous().invalidate(key);
    }
}
