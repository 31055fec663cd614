package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import java.util.Optional;

/**
 * An attached message as a message/rfc822 leaf, which must be 7bit or 8bit (RFC 2046 §5.2.1). A bare LF becomes CRLF,
 * as files have either.
 */
final class MessagePart {

    /** RFC 5322 §2.1.1. */
    private static final int LINE_OCTETS_MAX = 998;

    private MessagePart() {}

    /**
     * Empty if the attachment is no message, is empty, or has content that SMTP cannot carry: NUL, a bare CR or an
     * overlong line.
     */
    static Optional<MimeEntity> of(MailRequested.Attachment attachment) {
        String type = attachment.contentType().split(";", 2)[0].strip();
        if (!type.equalsIgnoreCase("message/rfc822") || attachment.content().length() == 0) {
            return Optional.empty();
        }
        Octets content = attachment.content();
        byte[] octets = content.array();
        int end = content.offset() + content.length();
        boolean eightBit = false;
        int lineOctets = 0;
        for (int i = content.offset(); i < end; i++) {
            boolean bareReturn = octets[i] == '\r' && (i + 1 == end || octets[i + 1] != '\n');
            boolean breaks = octets[i] == '\r' || octets[i] == '\n';
            lineOctets = breaks ? 0 : lineOctets + 1;
            if (octets[i] == 0 || bareReturn || lineOctets > LINE_OCTETS_MAX) {
                return Optional.empty();
            }
            eightBit |= octets[i] < 0;
        }
        return Optional.of(new MimeEntity(
                FilePart.fields(attachment, attachment.contentType(), eightBit ? "8bit" : "7bit"),
                eightBit,
                to -> TextPart.write(content, true, to)));
    }
}
