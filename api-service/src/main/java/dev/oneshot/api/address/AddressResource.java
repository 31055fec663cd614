package dev.oneshot.api.address;

import dev.oneshot.api.account.Caller;
import dev.oneshot.api.body.BodyDigest;
import dev.oneshot.api.http.EntityTag;
import dev.oneshot.api.http.QueryParameters;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.Position;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse;

/** The addresses of the caller. */
@Path("/v1/addresses")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
class AddressResource {

    private static final int TAG_BYTES = 12;

    private final Caller caller;
    private final QueryParameters query;
    private final AddressIssuer issuer;
    private final AddressStore addresses;
    private final CursorCodec cursors;
    private final PageMemory memory;

    AddressResource(
            Caller caller,
            QueryParameters query,
            AddressIssuer issuer,
            AddressStore addresses,
            CursorCodec cursors,
            PageMemory memory) {
        this.caller = caller;
        this.query = query;
        this.issuer = issuer;
        this.addresses = addresses;
        this.cursors = cursors;
        this.memory = memory;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    public CreatedAddressView create(CreateAddress request) {
        NewAddress address = request.checked();
        return issuer.create(caller.account(), caller.idempotencyKey(), address);
    }

    @GET
    @Path("{id}")
    public RestResponse<Address> get(
            @PathParam("id") String id, @HeaderParam("If-None-Match") List<String> ifNoneMatch) {
        Address address = addresses.read(caller.account().id(), AddressPath.parse(id));
        String tag = tag(address);
        RestResponse.ResponseBuilder<Address> response = EntityTag.matches(ifNoneMatch, tag)
                ? RestResponse.ResponseBuilder.notModified()
                : RestResponse.ResponseBuilder.ok(address);
        return response.header("ETag", tag).build();
    }

    @GET
    public Page<Address> list() {
        query.requireOnly("status", "label", "mode", "limit", "cursor");
        UUID accountId = caller.account().id();
        AddressFilter filter = AddressFilter.parse(query.single("status"), query.single("label"), query.single("mode"));
        Page<Address> page = Page.read(
                query,
                cursors,
                filter.scope(accountId),
                (rowsMax, after) -> addresses.list(accountId, filter, rowsMax, after),
                last -> new Position(last.createdAt(), last.id()));
        memory.reserve(page.items());
        return page;
    }

    /** The entity tag of an address (RFC 9110 §8.8.3): 96 bits of SHA-256 over everything that is in the response. */
    private static String tag(Address address) {
        byte[] hash = BodyDigest.sha256().digest(address.toString().getBytes(StandardCharsets.UTF_8));
        return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, TAG_BYTES)) + '"';
    }
}
