package dev.oneshot.api.quota;

import dev.oneshot.api.auth.Caller;
import dev.oneshot.api.idempotency.Idempotency;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.UUID;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** The caller's credits. */
@Path("/v1/account/credits")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@RegisterForReflection
class CreditResource {

    private final Caller caller;
    private final Credits credits;
    private final Idempotency idempotency;

    CreditResource(Caller caller, Credits credits, Idempotency idempotency) {
        this.caller = caller;
        this.credits = credits;
        this.idempotency = idempotency;
    }

    /** The body of a purchase, with JSON's types but unchecked values. */
    @RegisterForReflection
    record BuyCredits(@Nullable Long credits) {}

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    public Credits.Added buy(BuyCredits request) {
        int wanted = Credits.checked(request.credits());
        UUID accountId = caller.account().id();
        return idempotency.once(
                accountId,
                Credits.Added.class,
                () -> credits.sell(accountId, wanted).orElseThrow(Caller::gone));
    }
}
