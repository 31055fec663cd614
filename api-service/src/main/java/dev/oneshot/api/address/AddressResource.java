package dev.oneshot.api.address;

import dev.oneshot.api.account.Account;
import dev.oneshot.api.account.Caller;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.QueryParameters;
import dev.oneshot.api.http.Resource;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.PageSize;
import dev.oneshot.api.paging.Position;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.ResponseStatus;

/** The addresses of the caller. */
@Path("/v1/addresses")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@RegisterForReflection
class AddressResource implements Resource {

    private final Caller caller;
    private final QueryParameters query;
    private final AddressIssuer issuer;
    private final AddressStore addresses;
    private final AddressRemoval removal;
    private final AddressDomains domains;
    private final CursorCodec cursors;

    AddressResource(
            Caller caller,
            QueryParameters query,
            AddressIssuer issuer,
            AddressStore addresses,
            AddressRemoval removal,
            AddressDomains domains,
            CursorCodec cursors) {
        this.caller = caller;
        this.query = query;
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
        String sendTo = created.mode() == Mode.SEND && request.send() != null
                ? request.send().to()
                : null;
        return CreatedAddressView.of(created, domains, sendTo);
    }

    @GET
    @Path("{id}")
    public AddressView get(@PathParam("id") String id) {
        Address address = addresses.read(caller.account().id(), AddressPath.parse(id));
        return AddressView.of(address, domains);
    }

    @GET
    public AddressPageView list() {
        Account account = caller.account();
        AddressFilter filter = AddressFilter.parse(query.single("status"), query.single("label"), query.single("mode"));
        PageSize size = PageSize.parse(query.single("limit"));
        String scope = filter.scope(account.id());
        String cursor = query.single("cursor");
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
    public void deleteByLabel() {
        String label = query.single("label");
        if (label == null || label.isEmpty()) {
            throw ApiException.invalid("label must be given: it says which addresses to delete");
        }
        removal.deleteByLabel(caller.account().id(), new Label(label));
    }
}
