package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Messages of a given size: a typical header, plain text, HTML, and an attachment that fills the size. */
public final class SampleMessage {

    /** A line of base64, and its characters with CRLF. */
    private static final int LINE_BYTES = 57;

    private static final int LINE_CHARACTERS = 78;

    private SampleMessage() {}

    /** The content of DATA for a message of about this many bytes, with the final CRLF . CRLF; no line starts with a dot. */
    public static byte[] content(int size) {
        StringBuilder text = new StringBuilder(size + 1024).append("""
                From: =?UTF-8?Q?Anna_M=C3=BCller?= <anna@sender.example>
                To: Grace <grace@in.oneshot.localhost>
                Subject: =?UTF-8?B?R3LDvMOfZQ==?= and the figures for the quarter
                Date: Fri, 20 Nov 2026 12:00:00 +0000
                Message-ID: <20261120120000.1@sender.example>
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary="outer"

                --outer
                Content-Type: multipart/alternative; boundary="inner"

                --inner
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                Hello,=20

                here are the figures. Gr=C3=BC=C3=9Fe, Anna
                --inner
                Content-Type: text/html; charset=utf-8

                <p>Hello,</p><p>here are the figures.</p>
                --inner--
                --outer
                Content-Type: application/pdf
                Content-Disposition: attachment; filename*=UTF-8''M%C3%A4rz.pdf
                Content-Transfer-Encoding: base64

                """.replace("\n", "\r\n"));
        byte[] file = Bench.randomBytes(Math.max(0, size - text.length()) * LINE_BYTES / LINE_CHARACTERS);
        text.append(Base64.getMimeEncoder().encodeToString(file)).append("\r\n--outer--\r\n.\r\n");
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
