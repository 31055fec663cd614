package dev.oneshot.api.credit;

import dev.oneshot.api.account.Caller;
import dev.oneshot.api.http.Resource;
import dev.oneshot.api.idempotency.IdempotentRequests;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** The caller's credits. */
@Path("/v1/account/credits")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@RegisterForReflection
@Tag(name = "Account", description = "The caller's account: plan, usage, credits and API key.")
class CreditResource implements Resource {

    private final Caller caller;
    private final Credits credits;
    private final IdempotentRequests requests;

    CreditResource(Caller caller, Credits credits, IdempotentRequests requests) {
        this.caller = caller;
        this.credits = credits;
        this.requests = requests;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "buyCredits",
            summary = "Buy credits",
            description = "Credits pay for addresses when the monthly allocation is used up. They do not expire.")
    @Parameter(
            name = "Idempotency-Key",
            in = ParameterIn.HEADER,
            description =
                    "Names this purchase. Repeated within 24 hours, the request gets the first response and buys nothing.",
            schema = @Schema(type = SchemaType.STRING, maxLength = 255))
    @APIResponse(
            responseCode = "201",
            description = "The credits were added.",
            content = @Content(schema = @Schema(implementation = CreditsAddedView.class)))
    public RestResponse<CreditsAddedView> buy(
            @RequestBody(required = true, description = "The purchase.") BuyCredits request) {
        int wanted = Credits.checked(request.credits());
        UUID accountId = caller.account().id();
        CreditsAddedView added = requests.once(
                accountId,
                RestResponse.StatusCode.CREATED,
                CreditsAddedView.class,
                connection -> credits.sell(connection, accountId, wanted).orElseThrow(Caller::gone));
        return RestResponse.status(RestResponse.Status.CREATED, added);
    }
}
