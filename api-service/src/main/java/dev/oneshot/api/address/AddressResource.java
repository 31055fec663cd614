package dev.oneshot.api.address;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.Caller;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.PageSize;
import dev.oneshot.api.paging.Position;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** The addresses of the caller. */
@Path("/v1/addresses")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
class AddressResource {

    private final Caller caller;
    private final AddressIssuer issuer;
    private final AddressStore addresses;
    private final AddressRemoval removal;
    private final AddressDomains domains;
    private final CursorCodec cursors;

    AddressResource(
            Caller caller,
            AddressIssuer issuer,
            AddressStore addresses,
            AddressRemoval removal,
            AddressDomains domains,
            CursorCodec cursors) {
        this.caller = caller;
        this.issuer = issuer;
        this.addresses = addresses;
        this.removal = removal;
        this.domains = domains;
        this.cursors = cursors;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    public CreatedAddressView create(CreateAddress request) {
        Address created = issuer.create(caller.account(), request);
        return CreatedAddressView.of(created, domains, null);
    }

    @GET
    @Path("{id}")
    public AddressView get(@PathParam("id") String id) {
        Address address = addresses.read(caller.account().id(), AddressPath.parse(id));
        return AddressView.of(address, domains);
    }

    @GET
    public AddressPageView list(
            @QueryParam("status") @Nullable String status,
            @QueryParam("label") @Nullable String label,
            @QueryParam("mode") @Nullable String mode,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor) {
        Account account = caller.account();
        AddressFilter filter = AddressFilter.parse(status, label, mode);
        PageSize size = PageSize.parse(limit);
        String scope = filter.scope(account.id());
        Position after = cursor == null ? null : cursors.decode(cursor, scope);
        Page<Address> page = addresses.list(account.id(), filter, size.limit(), after);
        return new AddressPageView(
                page.items().stream()
                        .map(address -> AddressView.of(address, domains))
                        .toList(),
                page.next() == null ? null : cursors.encode(page.next(), scope));
    }

    @DELETE
    @Path("{id}")
    public void delete(@PathParam("id") String id) {
        removal.delete(caller.account().id(), AddressPath.parse(id));
    }

    @DELETE
    public void deleteByLabel(@QueryParam("label") @Nullable String label) {
        if (label == null || label.isEmpty()) {
            throw ApiException.invalid("label must be given: it says which addresses to delete");
        }
        removal.deleteByLabel(caller.account().id(), new Label(label));
    }
}
