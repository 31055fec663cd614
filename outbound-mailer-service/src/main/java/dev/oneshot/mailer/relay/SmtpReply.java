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

    private static final Pattern ENHANCED_STATUS = Pattern.compile("([245]\\.\\d{1,3}\\.\\d{1,3})(?: .*)?");

    boolean isPositive() {
        return code < 300;
    }

    /** The codes without the text. */
    Reply codes() {
        Matcher status = ENHANCED_STATUS.matcher(lines.getLast());
        return new Reply(code, status.matches() ? status.group(1) : null);
    }
}
