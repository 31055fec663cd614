package dev.oneshot.api.quota;

import dev.oneshot.api.account.Caller;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Sells credits to the caller. */
@Path("/v1/account/credits")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
class CreditsResource {

    private final Caller caller;
    private final Credits credits;

    CreditsResource(Caller caller, Credits credits) {
        this.caller = caller;
        this.credits = credits;
    }

    /** The body of a purchase, with JSON's types but unchecked values. */
    record BuyCredits(@Nullable Long credits) {}

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    public Credits.Added buy(BuyCredits request) {
        return credits.buy(caller.account().id(), caller.idempotencyKey(), Credits.checked(request.credits()));
    }
}
