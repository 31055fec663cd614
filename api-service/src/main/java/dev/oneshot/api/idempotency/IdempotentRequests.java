package dev.oneshot.api.idempotency;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiException;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

/** Answers requests that may come more than once; those without an {@code Idempotency-Key} have their effect each time. */
@ApplicationScoped
public class IdempotentRequests {

    private final Database database;
    private final IdempotentEffects effects;
    private final RoutingContext request;
    private final ObjectMapper json;

    IdempotentRequests(Database database, IdempotentEffects effects, RoutingContext request, ObjectMapper json) {
        this.database = database;
        this.effects = effects;
        this.request = request;
        this.json = json;
    }

    /**
     * Answers the present request with what was answered before, or has the effect. To be called once the request is
     * known to be well-formed (400), before anything that may be different the next time (422, 402).
     *
     * @param accountId the caller
     * @param status of the answer
     * @param effect runs in a transaction, which is only committed together with its answer; what it returns is the
     *     answer's body, to be written as JSON
     * @throws ApiException 400 if the name is none, 409 while an earlier request of this name is under way, 422 if that
     *     was another request
     */
    public Answer once(UUID accountId, int status, Database.Work<?> effect) {
        Optional<IdempotentRequest> named = IdempotentRequest.of(accountId, request);
        Database.Work<Answer> answered = connection -> answer(status, effect.run(connection));
        return named.isEmpty() ? database.transaction(answered) : effects.once(named.get(), answered);
    }

    /** Does the same with an effect that is one statement: without a name it needs no transaction around it. */
    public Answer onceInOneStatement(UUID accountId, int status, Database.Work<?> effect) {
        Optional<IdempotentRequest> named = IdempotentRequest.of(accountId, request);
        Database.Work<Answer> answered = connection -> answer(status, effect.run(connection));
        return named.isEmpty() ? database.statement(answered) : effects.once(named.get(), answered);
    }

    private Answer answer(int status, Object body) {
        try {
            return new Answer(status, json.writeValueAsString(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer could not be written", e);
        }
    }
}
