package dev.oneshot.message;

import java.util.Map;

/** The file name extension of a media type, for attachments without a name. */
final class FileExtensions {

    private static final int SUBTYPE_MAX = 8;

    private static final Map<String, String> KNOWN = Map.ofEntries(
            Map.entry("application/octet-stream", ".bin"),
            Map.entry("application/gzip", ".gz"),
            Map.entry("application/x-gzip", ".gz"),
            Map.entry("application/x-tar", ".tar"),
            Map.entry("application/javascript", ".js"),
            Map.entry("application/msword", ".doc"),
            Map.entry("application/vnd.ms-excel", ".xls"),
            Map.entry("application/vnd.ms-powerpoint", ".ppt"),
            Map.entry("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"),
            Map.entry("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx"),
            Map.entry("application/vnd.openxmlformats-officedocument.presentationml.presentation", ".pptx"),
            Map.entry("application/vnd.oasis.opendocument.text", ".odt"),
            Map.entry("application/vnd.oasis.opendocument.spreadsheet", ".ods"),
            Map.entry("application/vnd.oasis.opendocument.presentation", ".odp"),
            Map.entry("application/postscript", ".ps"),
            Map.entry("application/ms-tnef", ".dat"),
            Map.entry("application/vnd.ms-tnef", ".dat"),
            Map.entry("application/pgp-encrypted", ".asc"),
            Map.entry("application/pgp-signature", ".asc"),
            Map.entry("application/pgp-keys", ".asc"),
            Map.entry("application/pkcs7-mime", ".p7m"),
            Map.entry("application/x-pkcs7-mime", ".p7m"),
            Map.entry("application/pkcs7-signature", ".p7s"),
            Map.entry("application/x-pkcs7-signature", ".p7s"),
            Map.entry("audio/basic", ".au"),
            Map.entry("audio/mpeg", ".mp3"),
            Map.entry("audio/mp4", ".m4a"),
            Map.entry("audio/x-wav", ".wav"),
            Map.entry("image/jpeg", ".jpg"),
            Map.entry("image/pjpeg", ".jpg"),
            Map.entry("image/svg+xml", ".svg"),
            Map.entry("image/tiff", ".tif"),
            Map.entry("image/x-icon", ".ico"),
            Map.entry("image/vnd.microsoft.icon", ".ico"),
            Map.entry("message/rfc822", ".eml"),
            Map.entry("message/global", ".eml"),
            Map.entry("message/partial", ".eml"),
            Map.entry("message/external-body", ".txt"),
            Map.entry("message/delivery-status", ".txt"),
            Map.entry("message/disposition-notification", ".txt"),
            Map.entry("message/feedback-report", ".txt"),
            Map.entry("text/plain", ".txt"),
            Map.entry("text/calendar", ".ics"),
            Map.entry("text/javascript", ".js"),
            Map.entry("text/markdown", ".md"),
            Map.entry("text/rfc822-headers", ".txt"),
            Map.entry("text/enriched", ".txt"),
            Map.entry("text/richtext", ".txt"),
            Map.entry("text/vcard", ".vcf"),
            Map.entry("text/x-vcard", ".vcf"),
            Map.entry("text/x-amp-html", ".html"),
            Map.entry("text/watch-html", ".html"),
            Map.entry("video/mpeg", ".mpg"),
            Map.entry("video/quicktime", ".mov"),
            Map.entry("video/x-msvideo", ".avi"));

    private FileExtensions() {}

    /**
     * The extension with its dot. A subtype that looks like an extension (png, pdf, zip, html) is one; any other
     * gives .bin.
     */
    static String of(String type) {
        String known = KNOWN.get(type);
        if (known != null) {
            return known;
        }
        String subtype = type.substring(type.indexOf('/') + 1);
        boolean plain = !subtype.isEmpty() && subtype.length() <= SUBTYPE_MAX;
        for (int i = 0; plain && i < subtype.length(); i++) {
            char c = subtype.charAt(i);
            plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        }
        return plain ? "." + subtype : ".bin";
    }
}
