package dev.oneshot.api.operator;

import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.QueryParameters;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.Position;
import dev.oneshot.api.sending.Settlements;
import dev.oneshot.contracts.event.MailSettled.Outcome;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How requests to send ended, newest first. */
@ApplicationScoped
class OperatorSends {

    private static final List<String> OUTCOMES = Arrays.stream(Outcome.values())
            .map(outcome -> outcome.name().toLowerCase(Locale.ROOT))
            .toList();

    private final Settlements sends;
    private final CursorCodec cursors;

    OperatorSends(Settlements sends, CursorCodec cursors) {
        this.sends = sends;
        this.cursors = cursors;
    }

    Page<Settlements.Row> list(RoutingContext request) {
        QueryParameters query = new QueryParameters(request);
        query.requireOnly("limit", "cursor", "outcome", "address_id");
        String outcome = outcome(query.single("outcome"));
        String addressId = addressId(query.single("address_id"));
        return Page.read(
                query,
                cursors,
                "operator sends\n" + outcome + "\n" + addressId,
                (rowsMax, after) -> sends.list(after, outcome, addressId, rowsMax),
                row -> new Position(row.settledAt(), row.addressId()));
    }

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
