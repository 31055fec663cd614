package dev.oneshot.api.operator;

import dev.oneshot.api.account.ApiKeyView;
import dev.oneshot.api.account.ApiKeys;
import dev.oneshot.api.credit.Credits;
import dev.oneshot.api.credit.CreditsAddedView;
import dev.oneshot.api.http.NoMembers;
import dev.oneshot.api.idempotency.IdempotentRequests;
import dev.oneshot.api.operator.OperatorRoutes.Answer;
import dev.oneshot.api.removal.AccountRemoval;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the operator gives to accounts and takes from them: credits, keys, and in the end everything. */
@ApplicationScoped
class OperatorGrants {

    /** Owns the operator's idempotency keys, apart from those of all accounts. */
    private static final UUID OPERATOR = new UUID(0, 0);

    private final Credits credits;
    private final IdempotentRequests repeatable;
    private final ApiKeys keys;
    private final AccountRemoval removal;
    private final OperatorRequests requests;

    OperatorGrants(
            Credits credits,
            IdempotentRequests repeatable,
            ApiKeys keys,
            AccountRemoval removal,
            OperatorRequests requests) {
        this.credits = credits;
        this.repeatable = repeatable;
        this.keys = keys;
        this.removal = removal;
        this.requests = requests;
    }

    Answer giveCredits(RoutingContext request) {
        GiveCredits body = requests.body(request, GiveCredits.class);
        int wanted = Credits.checked(body.credits());
        String reference = Credits.reference(body.reference());
        UUID id = OperatorRequests.id(request);
        AtomicBoolean given = new AtomicBoolean();
        CreditsAddedView added = repeatable.once(request, OPERATOR, 201, CreditsAddedView.class, connection -> {
            given.set(true);
            return credits.give(connection, id, wanted, reference).orElseThrow(OperatorRequests::noSuchAccount);
        });
        if (given.get()) {
            Audit.record(Audit.Action.CREDITS, id, "credits=" + wanted);
        }
        return new Answer(201, added);
    }

    Answer replaceKey(RoutingContext request) {
        var _ = requests.body(request, NoMembers.class);
        UUID id = OperatorRequests.id(request);
        ApiKeyView key = keys.replace(id).map(ApiKeyView::of).orElseThrow(OperatorRequests::noSuchAccount);
        Audit.record(Audit.Action.API_KEY, id, "");
        return new Answer(201, key);
    }

    Answer delete(RoutingContext request) {
        UUID id = OperatorRequests.id(request);
        if (!removal.remove(id)) {
            throw OperatorRequests.noSuchAccount();
        }
        Audit.record(Audit.Action.DELETE, id, "");
        return new Answer(204, null);
    }
}
