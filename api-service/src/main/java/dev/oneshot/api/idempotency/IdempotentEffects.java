package dev.oneshot.api.idempotency;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/**
 * Has a request's effect once, however often the request comes, and from however many replicas it is asked at once.
 *
 * <p>A lock on the name, the look for a kept answer, the effect and the keeping of its answer are one transaction: when
 * the process dies in between, nothing has happened and the name is free. A refusal is not kept; the next try may do
 * better.
 */
@ApplicationScoped
class IdempotentEffects {

    /** Most effects are over sooner. */
    private static final Duration UNDER_WAY_RETRY_AFTER = Duration.ofSeconds(1);

    private final Database database;
    private final IdempotentAnswers answers;

    IdempotentEffects(Database database, IdempotentAnswers answers) {
        this.database = database;
        this.answers = answers;
    }

    /**
     * Answers with what was answered before, also to many who ask at once, or has the effect.
     *
     * @throws ApiException 409 while an earlier request of this name is under way, 422 if that was another request
     */
    Answer once(IdempotentRequest named, Database.Work<Answer> effect) {
        return database.transaction(connection -> {
            boolean locked = answers.tryLock(connection, named);
            // A statement after the lock, as only it sees what the last holder has committed; and without the lock as
            // well, as its holder may be one who is only being told a kept answer.
            Optional<IdempotentAnswers.Kept> kept = answers.find(connection, named);
            if (kept.isPresent()) {
                return again(kept.get(), named);
            }
            if (!locked) {
                throw new ApiException(ApiError.conflict(
                        "a request with this " + IdempotencyKey.HEADER + " is still under way", UNDER_WAY_RETRY_AFTER));
            }
            Answer answer = effect.run(connection);
            answers.keep(connection, named, answer);
            return answer;
        });
    }

    private static Answer again(IdempotentAnswers.Kept kept, IdempotentRequest named) {
        if (!kept.digest().equals(named.digest())) {
            throw ApiException.unprocessable(
                    IdempotencyKey.HEADER + " was used for another request not long ago: take a new one");
        }
        return kept.answer();
    }
}
