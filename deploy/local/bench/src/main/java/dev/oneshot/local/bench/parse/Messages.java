package dev.oneshot.local.bench.parse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Messages to read: those of a directory, or made ones. */
final class Messages {

    private static final long SEED = 42;
    private static final int LINE_OCTETS = 57;
    private static final List<Integer> LINES = List.of(10, 120, 1300, 13_000);

    private Messages() {}

    /** All {@code .eml} files below the directory; made messages of 2 KB to 1 MB if it is not there or has none. */
    static List<byte[]> of(Path directory) {
        List<byte[]> messages = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".eml"))
                        .sorted()
                        .toList()) {
                    messages.add(Files.readAllBytes(file));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the messages in " + directory, e);
            }
        }
        return messages.isEmpty() ? LINES.stream().map(Messages::made).toList() : messages;
    }

    private static byte[] made(int lines) {
        StringBuilder text = new StringBuilder("""
                Received: from mx.sender.example (mx.sender.example [192.0.2.1])
                 by in.oneshot.localhost with ESMTP id 1; Fri, 20 Nov 2026 12:00:00 +0000
                From: =?UTF-8?Q?J=C3=BCrgen?= <juergen@sender.example>
                To: somebody@in.oneshot.localhost
                Subject: =?UTF-8?B?R3LDvMOfZQ==?= and figures
                Message-ID: <1@sender.example>
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary="b"

                --b
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                Gr=C3=BC=C3=9Fe
                --b
                Content-Type: application/pdf
                Content-Disposition: attachment; filename*=utf-8''gr%C3%BC%C3%9Fe.pdf
                Content-Transfer-Encoding: base64

                """.replace("\n", "\r\n"));
        Random random = new Random(SEED);
        byte[] line = new byte[LINE_OCTETS];
        for (int i = 0; i < lines; i++) {
            random.nextBytes(line);
            text.append(Base64.getEncoder().encodeToString(line)).append("\r\n");
        }
        return text.append("--b--\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    }
}
