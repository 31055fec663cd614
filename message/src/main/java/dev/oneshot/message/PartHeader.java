package dev.oneshot.message;

import java.util.Locale;

/**
 * The MIME header fields of a part (RFC 2045 §5, RFC 2183).
 *
 * @param type type and subtype, lower case; the default if the field is missing or invalid
 * @param contentType the parameters of Content-Type
 * @param disposition the disposition type, lower case; empty if there is none
 * @param filename decoded, as the sender wrote it; empty if there is none
 * @param contentId decoded, without angle brackets; empty if there is none, or it is too long
 * @param contentLocation decoded, without white space; empty if there is none, or it is too long
 * @param hasUnlabelledParameters whether parameters may have octets that are not ASCII and whose charset is not named
 * @param complete false if parameters of a field were left out
 */
record PartHeader(
        String type,
        ParameterList contentType,
        String disposition,
        String filename,
        TransferEncoding encoding,
        String contentId,
        String contentLocation,
        boolean hasUnlabelledParameters,
        boolean complete) {

    private static final int CHARSET_MAX = 64;
    private static final int TYPE_MAX = 255;
    private static final int CONTENT_ID_MAX = 512;
    private static final int CONTENT_LOCATION_MAX = 2_000;
    /** The characters that no token has (RFC 2045 §5.1). */
    private static final String SPECIALS = "()<>@,;:\\\"/[]?=";

    /** @param hint the charset label of raw 8-bit names that are not UTF-8; empty if it is not known */
    static PartHeader of(HeaderBlock block, String defaultType, String hint) {
        byte[] field = block.firstValue("content-type");
        ParameterList contentType = ParameterList.parse(field);
        ParameterList disposition = ParameterList.parse(block.firstValue("content-disposition"));
        String filename = disposition.text("filename", hint);
        if (filename.isBlank()) {
            filename = contentType.text("name", hint);
        }
        if (filename.isBlank() && disposition.value().equals("attachment")) {
            filename = disposition.text("name", hint);
        }
        return new PartHeader(
                field.length == 0 ? defaultType : type(contentType.value()),
                contentType,
                disposition.value(),
                filename.strip(),
                TransferEncoding.named(ParameterList.parse(block.firstValue("content-transfer-encoding"))
                        .value()),
                contentId(HeaderText.decode(block.firstValue("content-id"))),
                contentLocation(HeaderText.decode(block.firstValue("content-location"))),
                contentType.hasUnlabelledOctets() || disposition.hasUnlabelledOctets(),
                contentType.isComplete() && disposition.isComplete());
    }

    /** RFC 2045 §7. Some programs write no angle brackets. A part of an identifier identifies nothing. */
    private static String contentId(String text) {
        int open = text.indexOf('<');
        int close = text.indexOf('>', open + 1);
        String id = text.substring(open + 1, close < 0 ? text.length() : close).strip();
        return id.length() <= CONTENT_ID_MAX ? id : "";
    }

    /** Without white space, as a long URL is folded (RFC 2557 §4.4.2). */
    private static String contentLocation(String text) {
        String url = text.replaceAll("\\s+", "");
        return url.length() <= CONTENT_LOCATION_MAX ? url : "";
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
        return new PartHeader(
                "text/plain",
                ParameterList.parse(new byte[0]),
                "",
                "",
                encoding,
                "",
                "",
                hasUnlabelledParameters,
                complete);
    }

    /** Whether it is text to read in the mail itself, not a file. */
    boolean isBodyText() {
        return type.equals("text/plain") || type.equals("text/html");
    }

    /** RFC 2045 §5.2: an invalid type is plain text; but a multipart is one whatever its subtype (RFC 2046 §5.1.7). */
    private static String type(String value) {
        int slash = value.indexOf('/');
        boolean isType = value.length() <= TYPE_MAX
                && slash > 0
                && isToken(value, 0, slash)
                && isToken(value, slash + 1, value.length());
        if (isType) {
            return value;
        }
        return value.startsWith("multipart/") ? "multipart/mixed" : "text/plain";
    }

    private static boolean isToken(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7F || SPECIALS.indexOf(c) >= 0) {
                return false;
            }
        }
        return from < to;
    }
}
