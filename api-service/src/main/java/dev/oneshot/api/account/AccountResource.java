package dev.oneshot.api.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.oneshot.api.body.StrictJson;
import dev.oneshot.api.idempotency.Idempotency;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** The caller's account and its key. */
@Path("/v1/account")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
class AccountResource {

    private final Caller caller;
    private final AccountStore accounts;
    private final Plans plans;
    private final KeyRing keys;
    private final InstantSource clock;

    AccountResource(Caller caller, AccountStore accounts, Plans plans, KeyRing keys, InstantSource clock) {
        this.caller = caller;
        this.accounts = accounts;
        this.plans = plans;
        this.keys = keys;
        this.clock = clock;
    }

    /** The response of GET /account. */
    record AccountView(
            String id,
            String name,
            String plan,
            Instant billingCycleEnds,
            long monthlyAllocation,
            long used,
            long credits,
            Limits limits,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String contactEmail) {

        /** The limits of the plan. */
        record Limits(int maxTtlSeconds, int maxEmailBytes, int maxAttachmentBytes, int requestsPerSecond, int burst) {}
    }

    @GET
    public AccountView get() {
        AccountEntity row = accounts.find(caller.account().id()).orElseThrow(Caller::gone);
        Plan plan = plans.of(row.account());
        BillingCycle cycle = BillingCycle.at(row.createdAt, clock.instant());
        return new AccountView(
                row.id.toString(),
                row.name,
                row.plan,
                cycle.ends(),
                plan.addressesPerMonth(),
                row.usedIn(cycle),
                row.credits(),
                new AccountView.Limits(
                        plan.ttlSecondsMax(),
                        plan.sizeClass().messageBytesMax(),
                        plan.sizeClass().attachmentBytesMax(),
                        plan.requestsPerSecond(),
                        plan.burst()),
                row.contactEmail);
    }

    @POST
    @Path("api-key")
    @ResponseStatus(201)
    public KeyRing.NewKey replaceKey(StrictJson.EmptyObject request) {
        UUID accountId = caller.account().id();
        Optional<Idempotency.Key> retry = caller.idempotencyKey();
        return (retry.isPresent()
                        ? keys.replaceOnce(caller.key(), retry.get())
                        : keys.replace(accountId, caller.key().sha256()))
                .orElseThrow(Caller::wrongKey);
    }
}
