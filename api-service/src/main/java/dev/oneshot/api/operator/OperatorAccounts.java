package dev.oneshot.api.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.oneshot.api.account.AccountEntity;
import dev.oneshot.api.account.AccountStore;
import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.account.BillingCycle;
import dev.oneshot.api.account.KeyRing;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.QueryParameters;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.Position;
import dev.oneshot.api.sending.EmailAddress;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operator's requests about accounts. */
@ApplicationScoped
class OperatorAccounts {

    private final AccountStore accounts;
    private final Plans plans;
    private final OperatorRequests requests;
    private final CursorCodec cursors;
    private final InstantSource clock;
    private final KeyRing keys;

    OperatorAccounts(
            AccountStore accounts,
            Plans plans,
            OperatorRequests requests,
            CursorCodec cursors,
            InstantSource clock,
            KeyRing keys) {
        this.accounts = accounts;
        this.plans = plans;
        this.requests = requests;
        this.cursors = cursors;
        this.clock = clock;
        this.keys = keys;
    }

    /** The body of a creation or a change, with JSON's types but unchecked values. A change keeps values that are null. */
    @RegisterForReflection
    record Fields(
            @Nullable String name,
            @Nullable String plan,
            @Nullable String contactEmail) {}

    /**
     * An account as the operator sees it.
     *
     * @param contactEmail only if there is one
     * @param apiKey only in the response to the request that created the key
     * @param monthlyAllocation null if the account's plan is no longer configured
     */
    @RegisterForReflection
    record View(
            String id,
            String name,
            String plan,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String contactEmail,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String apiKey,

            Instant createdAt,
            Instant billingCycleEnds,
            @Nullable Long monthlyAllocation,
            long used,
            long credits) {}

    View create(RoutingContext request) {
        Fields body = requests.body(request, Fields.class);
        if (body.name() == null) {
            throw ApiException.invalid("name must be given");
        }
        String name = OperatorRequests.checkedText("name", body.name());
        Plan plan = checkedPlan(body.plan());
        ApiKey key = keys.generate();
        String contactEmail = body.contactEmail() == null ? null : checkedContactEmail(body.contactEmail());
        AccountEntity created = accounts.create(name, plan, contactEmail, key.sha256());
        OperatorRequests.audit("create", created.id, "plan=" + plan.name());
        return view(created, key.reveal());
    }

    View get(RoutingContext request) {
        return view(accounts.find(OperatorRequests.id(request)).orElseThrow(OperatorRequests::noSuchAccount), null);
    }

    Page<View> list(RoutingContext request) {
        QueryParameters query = new QueryParameters(request);
        query.requireOnly("limit", "cursor");
        return Page.read(query, cursors, "operator accounts", accounts::list, OperatorAccounts::position)
                .map(row -> view(row, null));
    }

    private static Position position(AccountEntity row) {
        return new Position(row.createdAt, row.id.toString());
    }

    View change(RoutingContext request) {
        Fields body = requests.body(request, Fields.class);
        String name = body.name() == null ? null : OperatorRequests.checkedText("name", body.name());
        Plan plan = body.plan() == null ? null : checkedPlan(body.plan());
        String contactEmail = body.contactEmail() == null || body.contactEmail().isEmpty()
                ? body.contactEmail()
                : checkedContactEmail(body.contactEmail());
        if (name == null && plan == null && contactEmail == null) {
            return get(request);
        }
        UUID id = OperatorRequests.id(request);
        AccountEntity changed =
                accounts.change(id, name, plan, contactEmail).orElseThrow(OperatorRequests::noSuchAccount);
        // Name and mailbox are personal data: the line says only that they changed.
        OperatorRequests.audit(
                "change",
                id,
                "plan=" + changed.plan + " renamed=" + (name != null)
                        + (contactEmail == null ? "" : " contactChanged=true"));
        return view(changed, null);
    }

    private View view(AccountEntity row, @Nullable String apiKey) {
        Plan plan = plans.find(row.plan).orElse(null);
        BillingCycle cycle = BillingCycle.at(row.createdAt, clock.instant());
        return new View(
                row.id.toString(),
                row.name,
                row.plan,
                row.contactEmail,
                apiKey,
                row.createdAt.truncatedTo(ChronoUnit.SECONDS),
                cycle.ends(),
                plan == null ? null : plan.addressesPerMonth(),
                row.usedIn(cycle),
                row.credits());
    }

    private static String checkedContactEmail(String contactEmail) {
        if (!EmailAddress.isValid(contactEmail)) {
            throw ApiException.invalid("contact_email must be an e-mail address");
        }
        return contactEmail;
    }

    private Plan checkedPlan(@Nullable String plan) {
        if (plan == null) {
            throw ApiException.invalid("plan must be given, one of " + plans.names());
        }
        return plans.find(plan).orElseThrow(() -> ApiException.invalid("plan must be one of " + plans.names()));
    }
}
