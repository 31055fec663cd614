package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Reply;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reply (RFC 5321 §4.2).
 *
 * @param code 200 to 599
 * @param lines the text of each line, at least one
 */
record SmtpReply(int code, List<String> lines) {

    /** At the beginning of the text, also after {@code #}, but not an IP address. */
    private static final Pattern ENHANCED_STATUS = Pattern.compile("#?([245]\\.\\d{1,3}\\.\\d{1,3})(?!\\.?\\d)");

    boolean isPositive() {
        return code < 300;
    }

    /** The codes without the text; the enhanced status code (RFC 2034) of the first line that has one. */
    Reply codes() {
        return lines.stream()
                .map(ENHANCED_STATUS::matcher)
                .filter(Matcher::lookingAt)
                .findFirst()
                .map(status -> new Reply(code, status.group(1)))
                .orElseGet(() -> new Reply(code, null));
    }
}
