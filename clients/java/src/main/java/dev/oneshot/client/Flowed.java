package dev.oneshot.client;

import java.util.regex.Pattern;

/** Plain text with soft line breaks (RFC 3676). The service keeps them, and they may be in the middle of a link or a code. */
final class Flowed {

    private static final Pattern PLAIN_TEXT = Pattern.compile("^[ \\t]*text/plain[ \\t]*;", Pattern.CASE_INSENSITIVE);
    private static final Pattern FORMAT =
            Pattern.compile(";[ \\t]*format[ \\t]*=[ \\t]*\"?flowed\"?[ \\t]*(?:;|$)", Pattern.CASE_INSENSITIVE);
    private static final Pattern DELSP =
            Pattern.compile(";[ \\t]*delsp[ \\t]*=[ \\t]*\"?yes\"?[ \\t]*(?:;|$)", Pattern.CASE_INSENSITIVE);
    private static final Pattern LINE_END = Pattern.compile("\r?\n");
    private static final String SIGNATURE = "-- ";

    private Flowed() {}

    /**
     * The text with its paragraphs as lines.
     *
     * @param contentType the field {@code Content-Type} of the message, or empty; of repeated fields the first counts
     */
    static String joined(String contentType, String text) {
        String type = LINE_END.split(contentType, 2)[0];
        if (!PLAIN_TEXT.matcher(type).find() || !FORMAT.matcher(type).find()) {
            return text;
        }
        boolean deletesBlank = DELSP.matcher(type).find();
        StringBuilder joined = new StringBuilder();
        String separator = "";
        int openDepth = -1;
        for (String line : LINE_END.split(Links.cut(text), -1)) {
            int depth = 0;
            while (depth < line.length() && line.charAt(depth) == '>') {
                depth++;
            }
            String content = line.substring(depth);
            content = content.startsWith(" ") ? content.substring(1) : content;
            boolean isSignature = content.equals(SIGNATURE);
            if (depth == openDepth && !content.isEmpty() && !isSignature) {
                joined.setLength(joined.length() - (deletesBlank ? 1 : 0));
                joined.append(content);
            } else {
                joined.append(separator).append(depth == 0 ? content : line);
            }
            separator = "\n";
            openDepth = content.endsWith(" ") && !isSignature ? depth : -1;
        }
        return joined.toString();
    }
}
