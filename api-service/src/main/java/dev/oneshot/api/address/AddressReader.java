package dev.oneshot.api.address;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.QueryParameters;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.PageSize;
import dev.oneshot.api.paging.Position;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;

/** Shows an account its addresses. */
@ApplicationScoped
class AddressReader {

    private final AddressStore addresses;
    private final AddressDomains domains;
    private final CursorCodec cursors;

    AddressReader(AddressStore addresses, AddressDomains domains, CursorCodec cursors) {
        this.addresses = addresses;
        this.domains = domains;
        this.cursors = cursors;
    }

    /**
     * One address.
     *
     * @throws ApiException 404 if this account has no such address, 410 if it has expired
     */
    AddressView get(UUID accountId, AddressPath path) {
        return AddressView.of(addresses.read(accountId, path), domains);
    }

    /**
     * The page that a query asks for.
     *
     * @throws ApiException 400, naming the parameter that is wrong
     */
    AddressPageView list(UUID accountId, QueryParameters query) {
        query.requireOnly("status", "label", "mode", "limit", "cursor");
        AddressFilter filter = AddressFilter.parse(query.single("status"), query.single("label"), query.single("mode"));
        PageSize size = PageSize.parse(query.single("limit"));
        String scope = filter.scope(accountId);
        String cursor = query.single("cursor");
        Position after = cursor == null ? null : cursors.decode(cursor, scope);
        Page<Address> page = addresses.list(accountId, filter, size.limit(), after);
        return new AddressPageView(
                page.items().stream()
                        .map(address -> AddressView.of(address, domains))
                        .toList(),
                page.next() == null ? null : cursors.encode(page.next(), scope));
    }
}
