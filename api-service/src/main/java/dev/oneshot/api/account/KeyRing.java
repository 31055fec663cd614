package dev.oneshot.api.account;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which account a key belongs to, without asking the database at every request. An answer is believed while it is
 * younger than a second, and longer as long as all changes of accounts are known and none is of its account. Many
 * requests with one new key at once ask once. A signed key that no account has was replaced or its account deleted, so it is
 * not looked up again while it is remembered.
 */
@ApplicationScoped
class KeyRing {

    private static final Duration TIME_MAX = Duration.ofSeconds(1);

    private final AccountStore accounts;
    private final AccountChanges changes;
    private final long believedNanos;
    private final LongSupplier nanoTime;
    private final AsyncCache<ApiKey.Hash, Answer> answers;

    /**
     * An answer of the database.
     *
     * @param isFinal whether no account can get the key any more: none has it, and only this service can have issued it
     */
    private record Answer(Optional<Account> account, boolean isFinal, long askedAtNanos) {}

    @Inject
    KeyRing(
            AccountStore accounts,
            AccountChanges changes,
            KeyCacheConfig config,
            @VirtualThreads ExecutorService virtualThreads) {
        this(accounts, changes, config, virtualThreads, System::nanoTime);
    }

    KeyRing(
            AccountStore accounts,
            AccountChanges changes,
            KeyCacheConfig config,
            ExecutorService executor,
            LongSupplier nanoTime) {
        if (config.time().compareTo(TIME_MAX) > 0 || config.time().isNegative()) {
            throw new IllegalArgumentException("oneshot.key-cache.time must be at most " + TIME_MAX);
        }
        this.accounts = accounts;
        this.changes = changes;
        this.believedNanos = config.time().toNanos();
        this.nanoTime = nanoTime;
        this.answers = Caffeine.newBuilder()
                .expireAfterWrite(config.forget())
                .maximumSize(config.entries())
                .executor(executor)
                .buildAsync();
    }

    /** Whether it can be said at once whose this key is, without asking the database. */
    boolean isKnown(ApiKey key) {
        @Nullable CompletableFuture<Answer> remembered = answers.getIfPresent(key.sha256());
        return remembered != null
                && remembered.isDone()
                && !remembered.isCompletedExceptionally()
                && isBelieved(remembered.join());
    }

    /** The account of this key; never blocks. Fails as the database does, and then is asked anew. */
    CompletableFuture<Optional<Account>> find(ApiKey key) {
        long arrivedAt = nanoTime.getAsLong();
        return find(key, arrivedAt);
    }

    private CompletableFuture<Optional<Account>> find(ApiKey key, long arrivedAt) {
        CompletableFuture<Answer> answer = answers.get(key.sha256(), asked -> ask(key));
        // The cache forgets failures by itself, but perhaps only after whoever waited has been told and has come again.
        CompletableFuture<Answer> forgotten = answer.whenComplete((found, failure) -> {
            if (failure != null) {
                answers.asMap().remove(key.sha256(), answer);
            }
        });
        return forgotten.thenCompose(found -> {
            // What was asked for after the request came is as true as can be, however long it took.
            if (found.askedAtNanos() - arrivedAt >= 0 || isBelieved(found)) {
                return CompletableFuture.completedFuture(found.account());
            }
            answers.asMap().remove(key.sha256(), answer);
            return find(key, arrivedAt);
        });
    }

    private Answer ask(ApiKey key) {
        long askedAt = nanoTime.getAsLong();
        Optional<Account> account = accounts.findByKey(key.sha256());
        return new Answer(account, account.isEmpty() && key.isSigned(), askedAt);
    }

    private boolean isBelieved(Answer answer) {
        boolean isYoung = nanoTime.getAsLong() - answer.askedAtNanos() < believedNanos;
        if (answer.account().isEmpty()) {
            return isYoung || answer.isFinal();
        }
        return (isYoung || changes.areKnown())
                && !changes.hasChangedSince(answer.account().get().id(), answer.askedAtNanos());
    }
}
