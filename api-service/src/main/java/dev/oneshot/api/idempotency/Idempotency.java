package dev.oneshot.api.idempotency;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Gives repetitions of a request the first response. Without an {@code Idempotency-Key} every request has its effect. */
@ApplicationScoped
public class Idempotency {

    private final IdempotencyStore store;
    private final RoutingContext request;
    private final ObjectMapper json;

    /** How long responses to requests with an {@code Idempotency-Key} are kept. */
    @ConfigMapping(prefix = "oneshot.idempotency")
    public interface Config {

        /**
         * After this time a key is new again: PT1S to P7D. A client that retries later has its effect twice; a longer time fills
         * the database.
         */
        @WithDefault("PT24H")
        Duration retention();
    }

    Idempotency(IdempotencyStore store, RoutingContext request, ObjectMapper json) {
        this.store = store;
        this.request = request;
        this.json = json;
    }

    /**
     * Returns the kept result of this request's effect, or runs the effect. Call it after validation (400), and before
     * checks that may end differently the next time (422, 402).
     *
     * @param accountId the caller
     * @param type what is kept, as JSON: the part of the response that the request does not contain. So nothing that the client
     *     sent outlives its address.
     * @param effect a statement or a transaction; with a key, a part of the transaction that keeps its response
     * @throws dev.oneshot.api.error.ApiException 400 if the key is malformed, 409 while an earlier request with this key is
     *     running, 422 if that was another request
     */
    public <T> T once(UUID accountId, Class<T> type, Supplier<T> effect) {
        return once(request, accountId, type, effect);
    }

    /**
     * As {@link #once(UUID, Class, Supplier)}, for a request of the operator API.
     *
     * @param owner of the key
     */
    public <T> T once(RoutingContext request, UUID owner, Class<T> type, Supplier<T> effect) {
        Optional<IdempotencyKey> key = IdempotencyKey.of(owner, request);
        return key.isEmpty() ? effect.get() : once(key.get(), type, effect);
    }

    /** The first response is read from JSON too, so that it cannot differ from later ones. */
    private <T> T once(IdempotencyKey key, Class<T> type, Supplier<T> effect) {
        try {
            return json.readValue(store.once(key, () -> write(effect.get())), type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a kept response could not be read", e);
        }
    }

    private String write(Object response) {
        try {
            return json.writeValueAsString(response);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a response could not be written", e);
        }
    }
}
