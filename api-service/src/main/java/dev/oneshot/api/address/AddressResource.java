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
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseHeader;
import org.jboss.resteasy.reactive.RestResponse;

/** The addresses of the caller. */
@Path("/v1/addresses")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@RegisterForReflection
@Tag(name = "Address", description = "One-shot addresses: create, read, list and delete.")
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
    @Operation(
            operationId = "createAddress",
            summary = "Create an address",
            description =
                    "Creates an address that receives one e-mail, or sends one at once. Without a body, it receives"
                            + " and lives for an hour.")
    @Parameter(
            name = "Idempotency-Key",
            in = ParameterIn.HEADER,
            description =
                    "Names this request. Repeated within 24 hours, the request gets the first response and creates nothing.",
            schema = @Schema(implementation = String.class, maxLength = 255))
    @APIResponse(
            responseCode = "201",
            description = "The new address.",
            content = @Content(schema = @Schema(implementation = CreatedAddressView.class)))
    public RestResponse<CreatedAddressView> create(
            @RequestBody(required = false, description = "The new address.") CreateAddress request) {
        return RestResponse.status(RestResponse.Status.CREATED, issuer.create(caller.account(), request));
    }

    @GET
    @Path("{id}")
    @Operation(
            operationId = "getAddress",
            summary = "Read an address",
            description =
                    "The state of the address, and a summary of its e-mail when it has been received. Poll it to wait"
                            + " for the e-mail.")
    @Parameter(
            name = "If-None-Match",
            in = ParameterIn.HEADER,
            description = "The ETag of an earlier response. If nothing has changed since, the response is 304.",
            schema = @Schema(implementation = String.class))
    @APIResponse(
            responseCode = "200",
            description = "The address.",
            headers = @Header(ref = "ETag", name = "ETag"),
            content = @Content(schema = @Schema(implementation = AddressView.class)))
    @APIResponse(
            responseCode = "304",
            description = "Nothing has changed.",
            headers = @Header(ref = "ETag", name = "ETag"))
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
            description = "Only the last page has fewer items than its limit, and no next_cursor."
                    + " Unknown parameters are rejected.")
    @APIResponse(
            responseCode = "200",
            description = "A page of the list.",
            content = @Content(schema = @Schema(implementation = AddressPageView.class)))
    @Parameter(
            name = "status",
            in = ParameterIn.QUERY,
            description = "Only addresses in this state.",
            schema =
                    @Schema(
                            implementation = String.class,
                            enumeration = {"waiting", "received", "expired", "sent"}))
    @Parameter(
            name = "label",
            in = ParameterIn.QUERY,
            description = "Only addresses with this label.",
            schema = @Schema(implementation = String.class))
    @Parameter(
            name = "mode",
            in = ParameterIn.QUERY,
            description = "Only addresses of this mode.",
            schema =
                    @Schema(
                            implementation = String.class,
                            enumeration = {"receive", "send"}))
    @Parameter(
            name = "limit",
            in = ParameterIn.QUERY,
            description = "The size of a page.",
            schema = @Schema(implementation = Integer.class, minimum = "1", maximum = "100", defaultValue = "20"))
    @Parameter(
            name = "cursor",
            in = ParameterIn.QUERY,
            description = "The next_cursor of the previous page.",
            schema = @Schema(implementation = String.class))
    public AddressPageView list() {
        return addresses.list(caller.account().id(), query);
    }

    @DELETE
    @Path("{id}")
    @Operation(
            operationId = "deleteAddress",
            summary = "Delete an address and its e-mail",
            description = "Deletes the address and all data of its e-mail at once.")
    @APIResponse(responseCode = "204", description = "The address is deleted.")
    public void delete(@PathParam("id") String id) {
        removal.delete(caller.account().id(), AddressPath.parse(id));
    }

    @DELETE
    @Operation(
            operationId = "deleteAddressesByLabel",
            summary = "Delete all addresses with a label",
            description = "Responds when none of them can be read any more, which takes about ten seconds for 100,000."
                    + " Addresses created in the meantime stay. If the request is interrupted, repeat it. With any other"
                    + " parameter the request is rejected and nothing is deleted.")
    @APIResponse(responseCode = "204", description = "The addresses are deleted, if there were any.")
    @Parameter(
            name = "label",
            in = ParameterIn.QUERY,
            description = "The label of the addresses to delete.",
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
