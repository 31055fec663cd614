package dev.oneshot.message;

import com.fasterxml.jackson.databind.JsonNode;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

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
        String subject = normal(found.subject());
        String plain = normal(read.text());
        String html = normal(read.html());
        given("subject", wanted -> check("subject", normal(wanted), subject));
        given("subject_prefix", wanted -> check("subject_prefix", true, subject.startsWith(normal(wanted))));
        given("from", wanted -> check("from", wanted, found.from()));
        given("text_contains", wanted -> {
            String in = expected.path("text_in").asText().equals("html") ? html : plain;
            contains("text_contains", in, normal(wanted));
        });
        given("html", wanted -> check("html", Boolean.valueOf(wanted), !html.isBlank()));
        given("html_contains", wanted -> {
            String free = normal(withoutTags(html));
            contains("html_contains", free.contains(normal(wanted)) ? free : html, normal(wanted));
        });
        given("attachments", _ -> attachments());
        if (!found.complete()) {
            fail("not complete");
        }
    }

    private static String withoutTags(String html) {
        return html.replaceAll("<[^>]*>", " ")
                .replace("&nbsp;", " ")
                .replace("&amp;", "&")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"");
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
                fail("attachment " + attachment + ": " + difference + " in " + left);
                return;
            }
        }
        if (!left.isEmpty()) {
            fail("attachments not expected: " + left);
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
            fail(field + ": <" + wanted + "> but <" + actual + ">");
        }
    }

    private void contains(String field, String in, String wanted) {
        compared++;
        if (!in.contains(wanted)) {
            fail(field + ": <" + wanted + "> not in <" + in.substring(0, Math.min(in.length(), 400)) + ">");
        }
    }

    private void given(String field, Consumer<String> check) {
        JsonNode wanted = expected.path(field);
        if (!wanted.isNull() && !wanted.isMissingNode()) {
            check.accept(wanted.asText());
        }
    }

    private void fail(String difference) {
        failures.add(expected.path("file").asText() + " " + difference);
    }

    private static String normal(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFC)
                .replaceAll("(?U)\\s+", " ")
                .strip();
    }
}
