package dev.oneshot.api.removal;

import dev.oneshot.api.account.Caller;
import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.address.Label;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.QueryParameters;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Deletes addresses of the caller. The responses have no content, so {@code Accept} does not matter. */
@Path("/v1/addresses")
@Produces(MediaType.WILDCARD)
@RunOnVirtualThread
class DeletionResource {

    private final Caller caller;
    private final QueryParameters query;
    private final AddressRemoval removal;

    DeletionResource(Caller caller, QueryParameters query, AddressRemoval removal) {
        this.caller = caller;
        this.query = query;
        this.removal = removal;
    }

    @DELETE
    @Path("{id}")
    public void delete(@PathParam("id") String id) {
        removal.delete(caller.account().id(), AddressPath.parse(id));
    }

    @DELETE
    public void deleteByLabel() {
        query.requireOnly("label");
        String label = query.single("label");
        if (label == null || label.isEmpty()) {
            throw ApiException.invalid("label must be given: it says which addresses to delete");
        }
        removal.deleteAll(caller.account().id(), new Label(label));
    }
}
