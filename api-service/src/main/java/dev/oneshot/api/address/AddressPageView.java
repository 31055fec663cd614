package dev.oneshot.api.address;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A page of the list of addresses. */
@RegisterForReflection
@Schema(name = "AddressPage", description = "A page of the list of addresses.")
record AddressPageView(
        @Schema(required = true, description = "Newest first.")
        List<AddressView> items,

        @Schema(
                required = true,
                nullable = true,
                description = "Pass it as cursor to get the next page; null on the last one.")
        @Nullable
        String nextCursor) {}
