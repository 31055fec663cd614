package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import java.util.List;
import java.util.Locale;

/** An attachment as a body part: a message unchanged, a file in base64. */
final class AttachmentPart {

    private AttachmentPart() {}

    /**
     * A message is sent as it is, in 7bit or 8bit (RFC 2046 §5.2.1), if SMTP can carry it. Composite types must not be in
     * base64 (RFC 2045 §6.4), so all others become application/octet-stream.
     *
     * @param mayHaveEightBits whether the relay has 8BITMIME
     */
    static MimeEntity of(MailRequested.Attachment attachment, boolean mayHaveEightBits) {
        Octets content = attachment.content();
        String type = attachment.contentType().toLowerCase(Locale.ROOT);
        boolean eightBit = SmtpMail.isEightBit(content);
        boolean isMessage = type.split(";", 2)[0].strip().equals("message/rfc822") && isMessage(content);
        if (isMessage && (mayHaveEightBits || !eightBit)) {
            return new MimeEntity(
                    fields(attachment, attachment.contentType(), eightBit ? "8bit" : "7bit"),
                    eightBit,
                    // Files have CRLF or LF; both become CRLF.
                    to -> TextPart.write(content, true, to));
        }
        boolean composite = type.startsWith("multipart/") || type.startsWith("message/");
        MimeBody octets = to -> to.write(content.array(), content.offset(), content.length());
        return new MimeEntity(
                fields(attachment, composite ? "application/octet-stream" : attachment.contentType(), "base64"),
                false,
                octets.inBase64());
    }

    private static List<String> fields(
            MailRequested.Attachment attachment, String contentType, String transferEncoding) {
        return List.of(
                "Content-Type: " + FilenameParameter.in(contentType, attachment.filename()),
                "Content-Transfer-Encoding: " + transferEncoding,
                "Content-Disposition: attachment" + FilenameParameter.after(attachment.filename()));
    }

    /** Whether SMTP can carry a message as it is: it is not empty, and has no NUL, bare CR or overlong line. */
    private static boolean isMessage(Octets content) {
        byte[] octets = content.array();
        int end = content.offset() + content.length();
        int lineOctets = 0;
        for (int i = content.offset(); i < end; i++) {
            boolean bareReturn = octets[i] == '\r' && (i + 1 == end || octets[i + 1] != '\n');
            boolean breaks = octets[i] == '\r' || octets[i] == '\n';
            lineOctets = breaks ? 0 : lineOctets + 1;
            if (octets[i] == 0 || bareReturn || lineOctets > TextPart.LINE_OCTETS_MAX) {
                return false;
            }
        }
        return content.length() > 0;
    }
}
