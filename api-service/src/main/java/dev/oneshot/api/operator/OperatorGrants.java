package dev.oneshot.api.operator;

import dev.oneshot.api.account.KeyRing;
import dev.oneshot.api.body.StrictJson;
import dev.oneshot.api.idempotency.Idempotency;
import dev.oneshot.api.quota.Credits;
import dev.oneshot.api.removal.AccountRemoval;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The operator's changes to an account: credits, keys, and its deletion. */
@ApplicationScoped
class OperatorGrants {

    /** Owns the operator's idempotency keys, apart from those of all accounts. */
    private static final UUID OPERATOR = new UUID(0, 0);

    private final Credits credits;
    private final Idempotency idempotency;
    private final KeyRing keys;
    private final AccountRemoval removal;
    private final OperatorRequests requests;

    OperatorGrants(
            Credits credits, Idempotency idempotency, KeyRing keys, AccountRemoval removal, OperatorRequests requests) {
        this.credits = credits;
        this.idempotency = idempotency;
        this.keys = keys;
        this.removal = removal;
        this.requests = requests;
    }

    /** The body of a grant, with JSON's types but unchecked values. */
    @RegisterForReflection
    record GiveCredits(@Nullable Long credits, @Nullable String reference) {}

    Credits.Added giveCredits(RoutingContext request) {
        GiveCredits body = requests.body(request, GiveCredits.class);
        int wanted = Credits.checked(body.credits());
        String reference = body.reference() == null
                ? "operator-" + UUID.randomUUID()
                : OperatorRequests.checkedText("reference", body.reference());
        UUID id = OperatorRequests.id(request);
        AtomicBoolean given = new AtomicBoolean();
        Credits.Added added = idempotency.once(Idempotency.Key.of(OPERATOR, request), Credits.Added.class, () -> {
            given.set(true);
            return credits.give(id, wanted, reference).orElseThrow(OperatorRequests::noSuchAccount);
        });
        // Logs a repetition too: the first request may have been committed without a line, if its response was lost.
        OperatorRequests.audit("credits", id, "credits=" + wanted + (given.get() ? "" : " repeated=true"));
        return added;
    }

    KeyRing.NewKey replaceKey(RoutingContext request) {
        var _ = requests.body(request, StrictJson.EmptyObject.class);
        UUID id = OperatorRequests.id(request);
        KeyRing.NewKey key = keys.replace(id, null).orElseThrow(OperatorRequests::noSuchAccount);
        OperatorRequests.audit("api-key", id, "");
        return key;
    }

    /** Returns null, as the response has no body. */
    @Nullable
    Object delete(RoutingContext request) {
        UUID id = OperatorRequests.id(request);
        if (!removal.remove(id)) {
            throw OperatorRequests.noSuchAccount();
        }
        OperatorRequests.audit("delete", id, "");
        return null;
    }
}
