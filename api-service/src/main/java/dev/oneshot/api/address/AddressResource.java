package dev.oneshot.api.address;

import dev.oneshot.api.account.Caller;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.QueryParameters;
import dev.oneshot.api.http.Resource;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseHeader;
import org.jboss.resteasy.reactive.RestResponse;

/** The addresses of the caller. */
@Path("/v1/addresses")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@RegisterForReflection
@Tag(name = "Address")
class AddressResource implements Resource {

    private static final String NO_STORE = "no-store";
    private static final String NOSNIFF = "nosniff";

    private final Caller caller;
    private final QueryParameters query;
    private final AddressIssuer issuer;
    private final AddressReader addresses;
    private final AddressRemoval removal;

    AddressResource(
            Caller caller,
            QueryParameters query,
            AddressIssuer issuer,
            AddressReader addresses,
            AddressRemoval removal) {
        this.caller = caller;
        this.query = query;
        this.issuer = issuer;
        this.addresses = addresses;
        this.removal = removal;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "createAddress", summary = "Create an address")
    @Parameter(
            name = "Idempotency-Key",
            in = ParameterIn.HEADER,
            description =
                    "Names this request: sent again within 24 hours, it gets the first answer and creates nothing.",
            schema = @Schema(implementation = String.class, maxLength = 255))
    @APIResponse(
            responseCode = "201",
            description = "The address is there.",
            content = @Content(schema = @Schema(implementation = CreatedAddressView.class)))
    public RestResponse<CreatedAddressView> create(CreateAddress request) {
        return RestResponse.status(RestResponse.Status.CREATED, issuer.create(caller.account(), request));
    }

    @GET
    @Path("{id}")
    @Operation(operationId = "getAddress", summary = "Tell where an address stands")
    @Parameter(
            name = "If-None-Match",
            in = ParameterIn.HEADER,
            description = "The ETag of an earlier answer: 304 as long as nothing has changed.",
            schema = @Schema(implementation = String.class))
    @APIResponse(
            responseCode = "200",
            description = "The address.",
            content = @Content(schema = @Schema(implementation = AddressView.class)))
    @APIResponse(responseCode = "304", description = "Nothing has changed.")
    public RestResponse<AddressView> get(
            @PathParam("id") String id, @HeaderParam("If-None-Match") List<String> ifNoneMatch) {
        AddressView view = addresses.get(caller.account().id(), AddressPath.parse(id));
        AddressTag tag = AddressTag.of(view);
        RestResponse.ResponseBuilder<AddressView> response = tag.matches(ifNoneMatch)
                ? RestResponse.ResponseBuilder.notModified()
                : RestResponse.ResponseBuilder.ok(view);
        return response.header("ETag", tag.text())
                .header("Cache-Control", NO_STORE)
                .header("X-Content-Type-Options", NOSNIFF)
                .build();
    }

    @GET
    @ResponseHeader(name = "Cache-Control", value = NO_STORE)
    @ResponseHeader(name = "X-Content-Type-Options", value = NOSNIFF)
    @Operation(
            operationId = "listAddresses",
            summary = "List addresses, newest first",
            description =
                    "A page may have fewer items than its limit, even none, when status=expired or mode leaves out"
                            + " thousands of addresses: the list goes on as long as there is a next_cursor."
                            + " Any other parameter is refused.")
    @Parameter(
            name = "status",
            in = ParameterIn.QUERY,
            schema =
                    @Schema(
                            implementation = String.class,
                            enumeration = {"waiting", "received", "expired", "sent"}))
    @Parameter(
            name = "label",
            in = ParameterIn.QUERY,
            description = "Exact match.",
            schema = @Schema(implementation = String.class))
    @Parameter(
            name = "mode",
            in = ParameterIn.QUERY,
            schema =
                    @Schema(
                            implementation = String.class,
                            enumeration = {"receive", "send"}))
    @Parameter(
            name = "limit",
            in = ParameterIn.QUERY,
            schema = @Schema(implementation = Integer.class, minimum = "1", maximum = "100", defaultValue = "20"))
    @Parameter(
            name = "cursor",
            in = ParameterIn.QUERY,
            description = "The next_cursor of the page before.",
            schema = @Schema(implementation = String.class))
    public AddressPageView list() {
        return addresses.list(caller.account().id(), query);
    }

    @DELETE
    @Path("{id}")
    @Operation(operationId = "deleteAddress", summary = "Delete an address and its mail")
    public void delete(@PathParam("id") String id) {
        removal.delete(caller.account().id(), AddressPath.parse(id));
    }

    @DELETE
    @Operation(
            operationId = "deleteAddressesByLabel",
            summary = "Delete all addresses with a label",
            description = "Answers when none of them can be read any more, which takes some ten seconds for 100,000."
                    + " Addresses created meanwhile stay. Cut short, the rest is still there: ask again."
                    + " Takes no filter but the label: any other parameter is refused, and nothing is deleted.")
    @Parameter(
            name = "label",
            in = ParameterIn.QUERY,
            required = true,
            schema = @Schema(implementation = String.class, minLength = 1, maxLength = 255))
    public void deleteByLabel() {
        query.requireOnly("label");
        String label = query.single("label");
        if (label == null || label.isEmpty()) {
            throw ApiException.invalid("label must be given: it says which addresses to delete");
        }
        removal.deleteByLabel(caller.account().id(), new Label(label));
    }
}
