package dev.oneshot.api.operator;

import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.QueryParameters;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.Position;
import dev.oneshot.api.sending.Settlements;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How requests to send ended, newest first. */
@ApplicationScoped
class OperatorSends {

    /** Above all rows; PostgreSQL's own infinity has no Instant. */
    private static final Position TOP = new Position(Instant.parse("9999-01-01T00:00:00Z"), "");

    private static final List<String> OUTCOMES = Arrays.stream(Outcome.values())
            .map(outcome -> outcome.name().toLowerCase(Locale.ROOT))
            .toList();

    private final Settlements sends;
    private final CursorCodec cursors;

    OperatorSends(Settlements sends, CursorCodec cursors) {
        this.sends = sends;
        this.cursors = cursors;
    }

    SendPage list(RoutingContext request) {
        QueryParameters query = new QueryParameters(request);
        query.requireOnly("limit", "cursor", "outcome", "address_id");
        String outcome = outcome(query.single("outcome"));
        String addressId = addressId(query.single("address_id"));
        Page<Settlements.Row> page = Page.read(
                query,
                cursors,
                "operator sends\n" + outcome + "\n" + addressId,
                (rowsMax, after) -> sends.list(after == null ? TOP : after, outcome, addressId, rowsMax),
                row -> new Position(row.settledAt(), row.addressId()));
        return new SendPage(page.items(), page.nextCursor());
    }

    /** A page with the type of its items, which the check of the native binary reads here. */
    @RegisterForReflection
    record SendPage(List<Settlements.Row> items, @Nullable String nextCursor) {}

    private static @Nullable String addressId(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return AddressPath.parse(text).id();
        } catch (ApiException e) {
            throw ApiException.invalid("address_id must be the id of an address");
        }
    }

    private static @Nullable String outcome(@Nullable String text) {
        if (text != null && !OUTCOMES.contains(text)) {
            throw ApiException.invalid("outcome must be one of " + String.join(", ", OUTCOMES));
        }
        return text == null ? null : text.toUpperCase(Locale.ROOT);
    }
}
