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
     * @param type what is kept, as JSON: that of the answer which the request does not say itself, as the request comes
     *     again for it. So nothing that the request says outlives what it is about.
     * @param effect runs in a transaction, which is only committed together with what it returns
     * @return what the effect returned, now or before
     * @throws ApiException 400 if the name is none, 409 while an earlier request of this name is under way, 422 if that
     *     was another request
     */
    public <T> T once(UUID accountId, int status, Class<T> type, Database.Work<T> effect) {
        return once(request, accountId, status, type, effect);
    }

    /**
     * As {@link #once(UUID, int, Class, Database.Work)}, for a request that is not one of the public API's resources.
     *
     * @param owner whose keys these are
     */
    public <T> T once(RoutingContext request, UUID owner, int status, Class<T> type, Database.Work<T> effect) {
        Optional<IdempotentRequest> named = IdempotentRequest.of(owner, request);
        return named.isEmpty() ? database.transaction(effect) : once(named.get(), status, type, effect);
    }

    /** Does the same with an effect that is one statement: without a name it needs no transaction around it. */
    public <T> T onceInOneStatement(UUID accountId, int status, Class<T> type, Database.Work<T> effect) {
        Optional<IdempotentRequest> named = IdempotentRequest.of(accountId, request);
        return named.isEmpty() ? database.statement(effect) : once(named.get(), status, type, effect);
    }

    /** The first answer is read from what is kept, too: so it cannot differ from the later ones. */
    private <T> T once(IdempotentRequest named, int status, Class<T> type, Database.Work<T> effect) {
        Answer kept = effects.once(named, connection -> new Answer(status, write(effect.run(connection))));
        try {
            return json.readValue(kept.body(), type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a kept answer could not be read", e);
        }
    }

    private String write(Object body) {
        try {
            return json.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer could not be written", e);
        }
    }
}
