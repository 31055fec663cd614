package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** An attachment as a leaf, in base64. */
final class FilePart {

    /** A multiple of three, so that pieces are encoded separately, and of 57, so that each ends at a line end. */
    static final int PIECE_OCTETS = 57 * 1024;

    private static final byte[] CRLF = {'\r', '\n'};

    private FilePart() {}

    static MimeEntity of(MailRequested.Attachment attachment) {
        return new MimeEntity(
                fields(attachment, contentType(attachment.contentType()), "base64"),
                false,
                to -> write(attachment.content(), to));
    }

    static List<String> fields(MailRequested.Attachment attachment, String contentType, String transferEncoding) {
        return List.of(
                "Content-Type: " + contentType,
                "Content-Transfer-Encoding: " + transferEncoding,
                "Content-Disposition: attachment" + FilenameParameter.after(attachment.filename()));
    }

    /**
     * Composite types must not be encoded in base64 (RFC 2045 §6.4), so such a file is sent as
     * application/octet-stream.
     */
    private static String contentType(String type) {
        String lowerCase = type.toLowerCase(Locale.ROOT);
        boolean composite = lowerCase.startsWith("multipart/") || lowerCase.startsWith("message/");
        return composite ? "application/octet-stream" : type;
    }

    private static void write(Octets octets, OutputStream to) throws IOException {
        Base64.Encoder lines = Base64.getMimeEncoder(76, CRLF);
        try (var content = octets.stream()) {
            while (content.available() > 0) {
                to.write(lines.encode(content.readNBytes(PIECE_OCTETS)));
                to.write(CRLF);
            }
        }
    }
}
