package dev.oneshot.message;

import com.fasterxml.jackson.databind.JsonNode;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

/** Compares a line of the corpus's expected.jsonl with the reader's result; {@code null} there means "not checked". */
final class CorpusExpectation {

    private final JsonNode expected;
    private final ReadMessage read;
    private final MessageStructure found;
    private final List<String> failures = new ArrayList<>();
    private int compared;

    CorpusExpectation(JsonNode expected, byte[] octets) {
        this.expected = expected;
        this.read = ReadMessage.of(octets);
        this.found = read.structure();
    }

    List<String> failures() {
        return failures;
    }

    int compared() {
        return compared;
    }

    void compare() {
        if (isGiven("subject")) {
            check("subject", normal(text("subject")), normal(found.subject()));
        }
        if (isGiven("subject_prefix")) {
            String prefix = normal(text("subject_prefix"));
            check("subject_prefix", prefix, head(normal(found.subject()), prefix.length()));
        }
        if (isGiven("from")) {
            check("from", text("from"), found.from());
        }
        String plain = normal(read.text());
        String html = normal(read.html());
        if (isGiven("text_contains")) {
            String in = text("text_in").equals("html") ? html : plain;
            contains("text_contains", in, normal(text("text_contains")));
        }
        if (isGiven("html")) {
            check("html", expected.path("html").asBoolean(), !html.isBlank());
        }
        if (isGiven("html_contains")) {
            String free = normal(html.replaceAll("<[^>]*>", " ")
                    .replace("&nbsp;", " ")
                    .replace("&amp;", "&")
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&quot;", "\""));
            String wanted = normal(text("html_contains"));
            if (!free.contains(wanted)) {
                contains("html_contains", html, wanted);
            } else {
                compared++;
            }
        }
        if (isGiven("attachments")) {
            attachments();
        }
        if (!found.complete()) {
            failures.add(text("file") + ": not complete");
        }
    }

    private void attachments() {
        compared++;
        List<ReadMessage.File> left = new ArrayList<>(read.attachments());
        for (JsonNode attachment : expected.path("attachments")) {
            boolean optional = attachment.path("optional").asBoolean(false);
            String difference = left.isEmpty() ? "missing" : difference(attachment, left.getFirst());
            if (difference.isEmpty()) {
                left.removeFirst();
            } else if (!optional) {
                failures.add(text("file") + " attachment " + attachment + ": " + difference + " in " + left);
                return;
            }
        }
        if (!left.isEmpty()) {
            failures.add(text("file") + " attachments not expected: " + left);
        }
    }

    private String difference(JsonNode attachment, ReadMessage.File actual) {
        JsonNode type = attachment.path("content_type");
        if (!type.isNull() && !type.asText().equals(actual.contentType())) {
            return "type " + actual.contentType();
        }
        JsonNode name = attachment.path("filename");
        // The names here are the senders'. The reader's are safe to save, so the same rule is applied to both.
        if (!name.isNull() && !normal(Filenames.of(name.asText())).equals(normal(actual.filename()))) {
            return "filename " + actual.filename();
        }
        JsonNode hash = attachment.path("sha256");
        if (!hash.isNull() && !hash.asText().equals(actual.sha256())) {
            return "content of " + actual.sizeBytes() + " octets";
        }
        return "";
    }

    private void check(String field, Object wanted, Object actual) {
        compared++;
        if (!wanted.equals(actual)) {
            failures.add(text("file") + " " + field + ": <" + wanted + "> but <" + actual + ">");
        }
    }

    private void contains(String field, String in, String wanted) {
        compared++;
        if (!in.contains(wanted)) {
            failures.add(text("file") + " " + field + ": <" + wanted + "> not in <" + head(in, 400) + ">");
        }
    }

    private boolean isGiven(String field) {
        return !expected.path(field).isNull() && !expected.path(field).isMissingNode();
    }

    private String text(String field) {
        return expected.path(field).asText();
    }

    private static String head(String text, int length) {
        return text.substring(0, Math.min(length, text.length()));
    }

    private static String normal(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFC)
                .replaceAll("(?U)\\s+", " ")
                .strip();
    }
}
