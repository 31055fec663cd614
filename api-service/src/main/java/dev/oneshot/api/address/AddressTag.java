package dev.oneshot.api.address;

import dev.oneshot.api.http.BodyDigest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The entity tag of an address (RFC 9110 §8.8.3): 96 bits of SHA-256 over everything that is in the response.
 *
 * @param text with its quotes
 */
record AddressTag(String text) {

    private static final int BYTES = 12;
    private static final Pattern TAG = Pattern.compile("\"[^\"]*\"");

    static AddressTag of(Address address) {
        byte[] hash = BodyDigest.sha256().digest(address.toString().getBytes(StandardCharsets.UTF_8));
        return new AddressTag(
                '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, BYTES)) + '"');
    }

    /** Whether one of the fields If-None-Match has this tag, by weak comparison (RFC 9110 §13.1.2), or is a star. */
    boolean matches(List<String> ifNoneMatch) {
        return ifNoneMatch.stream()
                .anyMatch(field -> field.strip().equals("*")
                        || TAG.matcher(field).results().map(MatchResult::group).anyMatch(text::equals));
    }
}
