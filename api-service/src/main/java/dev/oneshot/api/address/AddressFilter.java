package dev.oneshot.api.address;

import dev.oneshot.api.error.ApiException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which addresses a list shows; null means all. */
public record AddressFilter(
        @Nullable Status status,
        @Nullable Label label,
        @Nullable Mode mode) {

    /**
     * Reads the query parameters.
     *
     * @throws ApiException 400 if one of them has no such value
     */
    static AddressFilter parse(@Nullable String status, @Nullable String label, @Nullable String mode) {
        return new AddressFilter(
                status == null ? null : Status.parse(status),
                label == null ? null : new Label(label),
                mode == null ? null : Mode.parse(mode));
    }

    /** The text that binds a cursor to this filter. A label has no control characters, so it is unambiguous. */
    String scope(UUID accountId) {
        return String.join(
                "\n",
                "addresses",
                accountId.toString(),
                status == null ? "" : status.text(),
                mode == null ? "" : mode.text(),
                label == null ? "" : label.text());
    }
}
