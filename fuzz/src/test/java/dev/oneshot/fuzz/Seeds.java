package dev.oneshot.fuzz;

import dev.oneshot.ingest.transcript.Transcript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** Inputs to start from: the fixtures of the modules, and the public messages if they are next to the project. */
final class Seeds {

    private static final Path PROJECT = Path.of(System.getProperty("oneshot.project"));

    private Seeds() {}

    /** Messages, each named by its file. */
    static Stream<Named<byte[]>> messages() throws IOException {
        return Stream.concat(
                files("message/src/test/resources/dev/oneshot/message/fixtures"), files("../shared/corpus"));
    }

    /** Messages with a signature, the records that belong to it, and an SPF and a DMARC record behind NULs. */
    static Stream<Named<byte[]>> signedMessages() {
        String message = String.join(
                "\r\n",
                "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=sender.example; s=k; h=from:to;",
                " bh=AAAA; b=AAAA",
                "From: a@sender.example",
                "To: b@in.example",
                "",
                "body ",
                "",
                "");
        String records = "\0v=DKIM1; k=rsa; p=AAAA\0v=spf1 a mx/24 include:%{l1r-}.%{d2}.example ip4:192.0.2.0/24 -all"
                + "\0v=DMARC1; p=reject; sp=none; adkim=s; psd=y";
        return Stream.of(message + records, message, records)
                .map(text -> Named.of(text.substring(0, 9), text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** What the clients of the transcripts send, each named by its file. */
    static Stream<Named<byte[]>> dialogues() throws IOException {
        return Transcript.allIn(PROJECT.resolve("smtp-ingest-service/src/test/resources/transcripts")).stream()
                .map(transcript -> Named.of(transcript.toString(), transcript.sent()));
    }

    private static Stream<Named<byte[]>> files(String folder) throws IOException {
        Path directory = PROJECT.resolve(folder);
        if (Files.notExists(directory)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".eml")).sorted().toList().stream()
                    .map(file -> Named.of(directory.relativize(file).toString(), content(file)));
        }
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
