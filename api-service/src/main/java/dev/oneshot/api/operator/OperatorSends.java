package dev.oneshot.api.operator;

import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.operator.OperatorRoutes.Answer;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.PageSize;
import dev.oneshot.api.paging.Position;
import dev.oneshot.api.sending.SentMails;
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

    private final SentMails sends;
    private final CursorCodec cursors;

    OperatorSends(SentMails sends, CursorCodec cursors) {
        this.sends = sends;
        this.cursors = cursors;
    }

    Answer list(RoutingContext request) {
        OperatorRequests.requireOnly(request, "limit", "cursor", "outcome", "address_id");
        PageSize size = PageSize.parse(OperatorRequests.parameter(request, "limit"));
        String outcome = outcome(OperatorRequests.parameter(request, "outcome"));
        String addressId = addressId(OperatorRequests.parameter(request, "address_id"));
        String cursor = OperatorRequests.parameter(request, "cursor");
        String scope = "operator sends\n" + outcome + "\n" + addressId;
        Position after = cursor == null ? TOP : cursors.decode(cursor, scope);
        Page<Settlements.Row> page = Page.ofOneMore(
                sends.list(after.createdAt(), after.id(), outcome, addressId, size.limit() + 1),
                size.limit(),
                row -> new Position(row.settledAt(), row.addressId()));
        String next = page.next() == null ? null : cursors.encode(page.next(), scope);
        return new Answer(200, new SendPage(page.items().stream().map(Send::of).toList(), next));
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
        if (text == null) {
            return null;
        }
        return Arrays.stream(Outcome.values())
                .filter(outcome -> lower(outcome.name()).equals(text))
                .findFirst()
                .orElseThrow(() -> ApiException.invalid("outcome must be one of "
                        + String.join(
                                ", ",
                                Arrays.stream(Outcome.values())
                                        .map(outcome -> lower(outcome.name()))
                                        .toList())))
                .name();
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    @RegisterForReflection
    record SendPage(List<Send> items, @Nullable String nextCursor) {}

    @RegisterForReflection
    record Send(
            String addressId,
            @Nullable String accountId,
            String outcome,
            @Nullable String failure,
            @Nullable Integer replyCode,
            @Nullable String enhancedStatus,
            int attempts,
            @Nullable String requestedAt,
            String settledAt) {

        static Send of(Settlements.Row row) {
            return new Send(
                    row.addressId(),
                    row.accountId(),
                    lower(row.outcome()),
                    row.failure() == null ? null : lower(row.failure()),
                    row.replyCode(),
                    row.enhancedStatus(),
                    row.attempts(),
                    row.requestedAt() == null ? null : row.requestedAt().toString(),
                    row.settledAt().toString());
        }
    }
}
