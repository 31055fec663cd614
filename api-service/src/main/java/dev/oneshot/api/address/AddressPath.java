package dev.oneshot.api.address;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.contracts.address.AddressId;
import java.util.Locale;
import java.util.regex.Pattern;

/** The id in a path, in lower case. */
public record AddressPath(String id) {

    private static final Pattern ID = Pattern.compile("[a-zA-Z2-7]{" + AddressId.LENGTH + "}");

    /**
     * Reads the path segment, in any case.
     *
     * @throws ApiException 404 if no address can have this id
     */
    public static AddressPath parse(String segment) {
        if (!ID.matcher(segment).matches()) {
            throw noSuchAddress();
        }
        return new AddressPath(segment.toLowerCase(Locale.ROOT));
    }

    /** The error for an id that is not the account's. */
    public static ApiException noSuchAddress() {
        return ApiException.of(Kind.NOT_FOUND, "there is no such address");
    }
}
