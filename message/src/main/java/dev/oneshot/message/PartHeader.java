package dev.oneshot.message;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The MIME header fields of a part (RFC 2045 §5, RFC 2183).
 *
 * @param type type and subtype, lower case; the default if the field is missing or invalid
 * @param contentType the parameters of Content-Type
 * @param disposition the disposition type, lower case; empty if there is none
 * @param filename decoded, as the sender wrote it; empty if there is none
 * @param complete false if parameters of a field were left out
 */
record PartHeader(
        String type,
        ParameterList contentType,
        String disposition,
        String filename,
        TransferEncoding encoding,
        boolean complete) {

    private static final int CHARSET_MAX = 64;
    private static final int TYPE_MAX = 255;
    /** Two tokens (RFC 2045 §5.1). */
    private static final Pattern TYPE = Pattern.compile("T+/T+".replace("T", "[!-~&&[^()<>@,;:\\\\\"/\\[\\]?=]]"));

    static PartHeader of(HeaderBlock block, String defaultType) {
        byte[] field = block.firstValue("content-type");
        ParameterList contentType = ParameterList.parse(field);
        ParameterList disposition = ParameterList.parse(block.firstValue("content-disposition"));
        String filename = disposition.text("filename");
        if (filename.isBlank()) {
            filename = contentType.text("name");
        }
        if (filename.isBlank() && disposition.value().equals("attachment")) {
            filename = disposition.text("name");
        }
        return new PartHeader(
                field.length == 0 ? defaultType : type(contentType.value()),
                contentType,
                disposition.value(),
                filename.strip(),
                TransferEncoding.named(ParameterList.parse(block.firstValue("content-transfer-encoding"))
                        .value()),
                contentType.isComplete() && disposition.isComplete());
    }

    boolean isMultipart() {
        return type.startsWith("multipart/");
    }

    /** The charset label in lower case; empty if there is none, or it is too long. */
    String charset() {
        String label = contentType.word("charset").toLowerCase(Locale.ROOT);
        return label.length() <= CHARSET_MAX ? label : "";
    }

    boolean isAttached() {
        return disposition.equals("attachment");
    }

    boolean isText() {
        return type.startsWith("text/");
    }

    /** The header of plain text in this part's encoding. */
    PartHeader ofText() {
        return new PartHeader("text/plain", ParameterList.parse(new byte[0]), "", "", encoding, complete);
    }

    /** Whether it is text to read in the mail itself, not a file. */
    boolean isBodyText() {
        return type.equals("text/plain") || type.equals("text/html");
    }

    /** RFC 2045 §5.2: an invalid type is read as plain text. */
    private static String type(String value) {
        return value.length() <= TYPE_MAX && TYPE.matcher(value).matches() ? value : "text/plain";
    }
}
