package dev.oneshot.ingest.transcript;

import dev.oneshot.authentication.results.AuthservId;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.command.Grammar;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One dialogue: the commands, the replies, and the delivered messages. */
public final class Transcript {

    private static final Path FOLDER = Path.of("src/test/resources/transcripts");
    private static final Pattern OCTET = Pattern.compile("\\\\x([0-9A-Fa-f]{2})");
    private static final Pattern REPEAT = Pattern.compile("\\\\rep\\{(\\d+),([^}]+)}");

    private final String name;
    private final List<Step> steps = new ArrayList<>();
    private final List<List<Fact>> deliveries = new ArrayList<>();
    private final List<DeliveryOutcome> outcomes = new ArrayList<>();
    private final Map<String, String> settings = new HashMap<>();
    private boolean closes;

    /** What happens next. */
    public sealed interface Step {

        /** The client sends octets. */
        @SuppressWarnings("ArrayRecordComponent")
        record Send(byte[] octets) implements Step {}

        /** The server sends a line; {@code *} stands for anything. */
        record Expect(String line) implements Step {}

        /** The handshake after STARTTLS. */
        record Handshake() implements Step {}
    }

    /** A fact about an accepted message, as in {@code from: ada@example.org}. */
    public record Fact(String key, String value) {}

    private Transcript(String name) {
        this.name = name;
    }

    /** All of them. */
    public static List<Transcript> all() throws IOException {
        return allIn(FOLDER);
    }

    /** All in a folder. */
    public static List<Transcript> allIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".smtp"))
                    .sorted()
                    .map(file -> read(folder, file))
                    .toList();
        }
    }

    private static Transcript read(Path folder, Path file) {
        Transcript transcript = new Transcript(folder.relativize(file).toString());
        try {
            for (String line : Files.readAllLines(file)) {
                transcript.add(line);
            }
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException(file + ": " + e.getMessage(), e);
        }
        return transcript;
    }

    private void add(String line) {
        if (line.isBlank() || line.startsWith("#")) {
            return;
        }
        String kind = line.substring(0, 2);
        String text = line.length() > 3 ? line.substring(3) : "";
        switch (kind) {
            case "C:" -> steps.add(new Step.Send(octets(text + "\\r\\n")));
            case "C|" -> steps.add(new Step.Send(octets(text)));
            case "S:" -> steps.add(new Step.Expect(text));
            case "S!" -> closes = true;
            case "T:" -> steps.add(new Step.Handshake());
            case "O:" -> outcomes.add(DeliveryOutcome.valueOf(text));
            case "P:" -> {
                int equals = text.indexOf('=');
                settings.put(text.substring(0, equals), text.substring(equals + 1));
            }
            case "D:" -> expectDelivery(text);
            default -> throw new IllegalArgumentException("not understood: " + line);
        }
    }

    private void expectDelivery(String text) {
        int colon = text.indexOf(':');
        String key = text.substring(0, colon);
        if (key.equals("from")) {
            deliveries.add(new ArrayList<>());
        }
        deliveries.getLast().add(new Fact(key, text.substring(colon + 1).strip()));
    }

    /** Text to octets: UTF-8, with the escapes that the folder's page describes. */
    static byte[] octets(String text) {
        String repeated = REPEAT.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(2).repeat(Integer.parseInt(match.group(1)))));
        String characters = new String(repeated.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return OCTET.matcher(characters)
                .replaceAll(match -> "\\\\%03o".formatted(Integer.parseInt(match.group(1), 16)))
                .translateEscapes()
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The bounds of a dialogue with these settings, each {@code name=value}. */
    public static SmtpPolicy policyOf(String... settings) {
        Transcript transcript = new Transcript("of no steps");
        for (String setting : settings) {
            transcript.add("P: " + setting);
        }
        return transcript.policy();
    }

    /** The bounds the dialogue is played under. */
    public SmtpPolicy policy() {
        return new SmtpPolicy(
                "mx.example",
                AuthservId.of("mx.example"),
                setting("messageBytesMax", 100_000),
                (int) setting("recipientsMax", 5),
                (int) setting("messagesMax", 10),
                (int) setting("errorsMax", 20),
                (int) setting("commandsMax", 100),
                (int) setting("headerBytesMax", 10_000),
                (int) setting("contentLineBytesMax", 5_000),
                setting("discardBytesMax", 1_000),
                Grammar.mailbox(settings.getOrDefault("postmaster", ""))
                        .map(mailbox -> new SmtpPolicy.Postmaster(mailbox, setting("postmasterBytesMax", 1_000)))
                        .orElse(null));
    }

    /** The bytes of messages that all sessions may hold. */
    public long memoryBytesMax() {
        return setting("memoryBytesMax", 1_000_000);
    }

    private long setting(String key, long otherwise) {
        String value = settings.get(key);
        return value == null ? otherwise : Long.parseLong(value);
    }

    /** The steps in order. */
    public List<Step> steps() {
        return steps;
    }

    /** All that the client sends. */
    public byte[] sent() {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        for (Step step : steps) {
            if (step instanceof Step.Send send) {
                sent.writeBytes(send.octets());
            }
        }
        return sent.toByteArray();
    }

    /** The expected deliveries, by facts about each message. */
    public List<List<Fact>> deliveries() {
        return deliveries;
    }

    /** The outcomes of the deliveries in order; further ones are stored. */
    public List<DeliveryOutcome> outcomes() {
        return outcomes;
    }

    /** Whether the server closes the connection in the end. */
    public boolean closes() {
        return closes;
    }

    /** The lines of the server, as one pattern. */
    public Pattern replies() {
        return steps.stream()
                .filter(Step.Expect.class::isInstance)
                .map(step -> linePattern(((Step.Expect) step).line()) + "\r\n")
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(), text -> Pattern.compile(text, Pattern.DOTALL)));
    }

    /** A line with its wildcards, as a regular expression. */
    public static String linePattern(String line) {
        return Stream.of(line.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining("[^\r\n]*"));
    }

    @Override
    public String toString() {
        return name;
    }
}
