package dev.oneshot.api.sending;

import java.util.regex.Pattern;

/** The grammar of a MIME type with its parameters (RFC 2045 §5.1), on one line. */
final class MediaType {

    private static final int CHARACTERS_MAX = 255;
    /** RFC 6838 §4.2. */
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}+";

    private static final String TOKEN = "[!#$%&'*+.^_`{|}~0-9A-Za-z-]++";
    private static final String QUOTED = "\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*+\"";
    private static final Pattern PATTERN =
            Pattern.compile(NAME + "/" + NAME + "(?: *+; *+" + TOKEN + "=(?:" + TOKEN + "|" + QUOTED + "))*+");

    private MediaType() {}

    static boolean isValid(String text) {
        return text.length() <= CHARACTERS_MAX && PATTERN.matcher(text).matches();
    }
}
