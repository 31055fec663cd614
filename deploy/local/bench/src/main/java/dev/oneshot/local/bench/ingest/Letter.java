package dev.oneshot.local.bench.ingest;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;

/** Messages of a given size: a typical header, plain text, HTML, and an attachment that fills the size. */
public final class Letter {

    private static final int LINE_BYTES = 57;
    private static final long SEED = 42;

    private Letter() {}

    /** The content of DATA for a message of about this many bytes, with the final CRLF . CRLF; no line starts with a dot. */
    public static byte[] content(int size) {
        StringBuilder text = new StringBuilder(size + 1024).append("""
                From: Anna Muster <anna@sender.example>
                To: Somebody <somebody@in.oneshot.localhost>
                Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?= and the figures for the quarter
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
                Content-Type: application/pdf; name="figures.pdf"
                Content-Disposition: attachment; filename="figures.pdf"
                Content-Transfer-Encoding: base64

                """.replace("\n", "\r\n"));
        Random random = new Random(SEED);
        byte[] line = new byte[LINE_BYTES];
        while (text.length() < size - LINE_BYTES) {
            random.nextBytes(line);
            text.append(Base64.getEncoder().encodeToString(line)).append("\r\n");
        }
        text.append("--outer--\r\n.\r\n");
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
