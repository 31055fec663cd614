package dev.oneshot.api.sending;

import dev.oneshot.api.body.BodyDigest;
import dev.oneshot.message.ALabels;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A digest of a send's recipient, with which the recipient in a notification is compared. It differs from send to
 * send, so it does not show which sends had the same recipient.
 */
final class RecipientDigest {

    private static final Pattern QUOTED_PAIR = Pattern.compile("\\\\(.)");

    private RecipientDigest() {}

    /** The digest of a mailbox; the same for all ways to write it. */
    static String of(String addressId, String mailbox) {
        byte[] digest =
                BodyDigest.sha256().digest((addressId + ' ' + canonical(mailbox)).getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    /** Mail servers change the case of letters, the quotes and the form of the domain. */
    private static String canonical(String mailbox) {
        int at = mailbox.lastIndexOf('@');
        String localPart = mailbox.substring(0, Math.max(0, at));
        if (localPart.length() > 1 && localPart.startsWith("\"") && localPart.endsWith("\"")) {
            localPart = QUOTED_PAIR
                    .matcher(localPart.substring(1, localPart.length() - 1))
                    .replaceAll("$1");
        }
        return Normalizer.normalize(localPart, Normalizer.Form.NFC).toLowerCase(Locale.ROOT)
                + '@'
                + withALabels(mailbox.substring(at + 1)).toLowerCase(Locale.ROOT);
    }

    private static String withALabels(String domain) {
        String unrooted = domain.endsWith(".") ? domain.substring(0, domain.length() - 1) : domain;
        try {
            return ALabels.of(unrooted, 0);
        } catch (IllegalArgumentException _) {
            // The domains of recipients are in A-labels, so none of them equals this one.
            return unrooted;
        }
    }
}
