package dev.oneshot.local.ceilings;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** An endpoint on a virtual thread that does nothing. */
@Path("/empty")
public final class EmptyResource {

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    public String empty() {
        return "{}";
    }
}
