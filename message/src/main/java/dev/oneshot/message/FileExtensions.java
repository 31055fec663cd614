package dev.oneshot.message;

/** The file name extension of a media type, for attachments without a name. */
final class FileExtensions {

    private FileExtensions() {}

    /**
     * The extension with its dot. A subtype that looks like an extension (png, pdf, zip, html) is one; any other
     * gives .bin.
     */
    static String of(String type) {
        return switch (type) {
            case "application/gzip", "application/x-gzip" -> ".gz";
            case "application/x-tar" -> ".tar";
            case "application/javascript", "text/javascript" -> ".js";
            case "application/msword" -> ".doc";
            case "application/vnd.ms-excel" -> ".xls";
            case "application/vnd.ms-powerpoint" -> ".ppt";
            case "application/vnd.openxmlformats-officedocument.wordprocessingml.document" -> ".docx";
            case "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" -> ".xlsx";
            case "application/vnd.openxmlformats-officedocument.presentationml.presentation" -> ".pptx";
            case "application/vnd.oasis.opendocument.text" -> ".odt";
            case "application/vnd.oasis.opendocument.spreadsheet" -> ".ods";
            case "application/vnd.oasis.opendocument.presentation" -> ".odp";
            case "application/postscript" -> ".ps";
            case "application/ms-tnef", "application/vnd.ms-tnef" -> ".dat";
            case "application/pgp-encrypted", "application/pgp-signature", "application/pgp-keys" -> ".asc";
            case "application/pkcs7-mime", "application/x-pkcs7-mime" -> ".p7m";
            case "application/pkcs7-signature", "application/x-pkcs7-signature" -> ".p7s";
            case "audio/basic" -> ".au";
            case "audio/mpeg" -> ".mp3";
            case "audio/mp4" -> ".m4a";
            case "audio/x-wav" -> ".wav";
            case "image/jpeg", "image/pjpeg" -> ".jpg";
            case "image/svg+xml" -> ".svg";
            case "image/tiff" -> ".tif";
            case "image/x-icon", "image/vnd.microsoft.icon" -> ".ico";
            case "message/rfc822", "message/global", "message/partial" -> ".eml";
            case "message/external-body",
                    "message/delivery-status",
                    "message/disposition-notification",
                    "message/feedback-report",
                    "text/plain",
                    "text/rfc822-headers",
                    "text/enriched",
                    "text/richtext" -> ".txt";
            case "text/calendar" -> ".ics";
            case "text/markdown" -> ".md";
            case "text/vcard", "text/x-vcard" -> ".vcf";
            case "text/x-amp-html", "text/watch-html" -> ".html";
            case "video/mpeg" -> ".mpg";
            case "video/quicktime" -> ".mov";
            case "video/x-msvideo" -> ".avi";
            default -> {
                String subtype = type.substring(type.indexOf('/') + 1);
                yield subtype.matches("[a-z0-9]{1,8}") ? "." + subtype : ".bin";
            }
        };
    }
}
