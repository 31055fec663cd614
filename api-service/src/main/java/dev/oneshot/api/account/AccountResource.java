package dev.oneshot.api.account;

import dev.oneshot.api.http.NoMembers;
import dev.oneshot.api.http.Resource;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.InstantSource;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseHeader;
import org.jboss.resteasy.reactive.ResponseStatus;

/** The caller's account. */
@Path("/v1/account")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@RegisterForReflection
@Tag(name = "Account", description = "The caller's account: plan, usage, credits and API key.")
class AccountResource implements Resource {

    private final Caller caller;
    private final AccountStore accounts;
    private final Plans plans;
    private final ApiKeys keys;
    private final InstantSource clock;

    AccountResource(Caller caller, AccountStore accounts, Plans plans, ApiKeys keys, InstantSource clock) {
        this.caller = caller;
        this.accounts = accounts;
        this.plans = plans;
        this.keys = keys;
        this.clock = clock;
    }

    @GET
    @Operation(
            operationId = "getAccount",
            summary = "Read the account",
            description = "Plan, limits, usage of the monthly allocation, and credits.")
    @APIResponse(
            responseCode = "200",
            description = "The account.",
            content = @Content(schema = @Schema(implementation = AccountView.class)))
    public AccountView get() {
        AccountStore.Row row = accounts.find(caller.account().id()).orElseThrow(Caller::gone);
        return AccountView.of(row, plans.of(row.account()), clock.instant());
    }

    @POST
    @Path("api-key")
    @ResponseStatus(201)
    @ResponseHeader(name = "Cache-Control", value = "no-store")
    @Operation(
            operationId = "replaceApiKey",
            summary = "Replace the API key",
            description = "The key of this request becomes invalid at once, on all replicas within a second."
                    + " The request needs no body.")
    @APIResponse(
            responseCode = "201",
            description = "The new key.",
            content = @Content(schema = @Schema(implementation = ApiKeyView.class)))
    public ApiKeyView replaceKey(
            @RequestBody(required = false, description = "Nothing is read of it.") NoMembers request) {
        return keys.replace(caller.account().id(), caller.key())
                .map(ApiKeyView::of)
                .orElseThrow(Caller::keyIsReplaced);
    }
}
