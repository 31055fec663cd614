package dev.oneshot.ingest.authentication;

import dev.oneshot.authentication.dkim.DkimResult;
import dev.oneshot.authentication.results.AuthservId;
import dev.oneshot.ingest.authentication.Verdicts.Spf;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Writes verdicts as an Authentication-Results field (RFC 8601 §2.2). */
final class ResultsField {

    // Values other than tokens and domain names are quoted.
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]+");
    private static final Pattern NOT_QUOTABLE = Pattern.compile("[^ !#-\\[\\]-~]");
    /** How an encoded word begins (RFC 2047 §2). */
    private static final Pattern ENCODED_WORD = Pattern.compile("=+\\?");

    private static final int VALUE_CHARACTERS_MAX = 255;

    private final StringBuilder text;

    private ResultsField(AuthservId ours) {
        this.text = new StringBuilder(500).append("Authentication-Results: ").append(ours);
    }

    /** The field with its line end; each result is on a line of its own. */
    static byte[] of(AuthservId ours, Verdicts verdicts) {
        ResultsField field = new ResultsField(ours);
        for (Spf spf : verdicts.spf()) {
            field.result("spf", spf.result());
            field.property("smtp." + Verdicts.word(spf.identity()), spf.domain());
        }
        for (DkimResult dkim : verdicts.dkim()) {
            field.result("dkim", dkim.verdict());
            if (!dkim.reason().isEmpty()) {
                field.text.append(" reason=").append(quoted(dkim.reason()));
            }
            field.property("header.d", dkim.domain());
            field.property("header.s", dkim.selector());
            field.property("header.a", dkim.algorithm());
            field.property("header.b", dkim.signature());
        }
        field.result("dmarc", verdicts.dmarc().verdict());
        field.property("header.from", verdicts.authorDomain());
        field.property("policy.dmarc", verdicts.dmarc().policy());
        return field.text.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    }

    private void result(String method, Enum<?> result) {
        text.append(";\r\n\t").append(method).append('=').append(Verdicts.word(result));
    }

    private void property(String name, String value) {
        if (!value.isEmpty()) {
            String bounded = value.substring(0, Math.min(VALUE_CHARACTERS_MAX, value.length()));
            text.append(' ').append(name).append('=');
            text.append(PLAIN.matcher(bounded).matches() ? bounded : quoted(bounded));
        }
    }

    /** A quoted string without encoded words: some readers would decode them, so one could forge a result. */
    private static String quoted(String value) {
        String quotable = NOT_QUOTABLE.matcher(value).replaceAll("?");
        return '"' + ENCODED_WORD.matcher(quotable).replaceAll("?") + '"';
    }
}
