package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** An attachment as a body part: a message as it is, a file in base64. */
final class AttachmentPart {

    /** A multiple of three, so that pieces are encoded separately, and of 57, so that each ends at a line end. */
    static final int PIECE_OCTETS = 57 * 1024;

    private AttachmentPart() {}

    /**
     * A message is sent as it is, in 7bit or 8bit (RFC 2046 §5.2.1), if SMTP can carry it. Composite types must not be in
     * base64 (RFC 2045 §6.4), so all others become application/octet-stream.
     */
    static MimeEntity of(MailRequested.Attachment attachment) {
        Octets content = attachment.content();
        String type = attachment.contentType().toLowerCase(Locale.ROOT);
        if (type.split(";", 2)[0].strip().equals("message/rfc822") && isMessage(content)) {
            boolean eightBit = SmtpMail.isEightBit(content);
            return new MimeEntity(
                    fields(attachment, attachment.contentType(), eightBit ? "8bit" : "7bit"),
                    eightBit,
                    // Bare LFs become CRLF, as files have either.
                    to -> TextPart.write(content, true, to));
        }
        boolean composite = type.startsWith("multipart/") || type.startsWith("message/");
        return new MimeEntity(
                fields(attachment, composite ? "application/octet-stream" : attachment.contentType(), "base64"),
                false,
                to -> writeBase64(content, to));
    }

    private static List<String> fields(
            MailRequested.Attachment attachment, String contentType, String transferEncoding) {
        return List.of(
                "Content-Type: " + contentType,
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

    private static void writeBase64(Octets octets, OutputStream to) throws IOException {
        Base64.Encoder lines = Base64.getMimeEncoder(76, TextPart.CRLF);
        try (var content = octets.stream()) {
            while (content.available() > 0) {
                to.write(lines.encode(content.readNBytes(PIECE_OCTETS)));
                to.write(TextPart.CRLF);
            }
        }
    }
}
