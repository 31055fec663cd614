package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/**
 * Messages of a given size, as a content of DATA: with the final CRLF . CRLF, and no line starts with a dot. They have a typical
 * header, plain text, HTML and a file.
 */
public final class SampleMessage {

    /** A line of base64, and its characters with CRLF. */
    private static final int LINE_BYTES = 57;

    private static final int LINE_CHARACTERS = 78;

    /** From this size on half of a newsletter is an image. */
    private static final int WITH_IMAGE = 32 * 1024;

    private static final int WORDS_A_PARAGRAPH = 18;
    /** Links of newsletters name the reader and the link. */
    private static final int TOKEN_BYTES = 96;

    private static final List<String> WORDS = List.of(
            ("the of and to a in for is on that by this with you it not or be are from at as your all have new more"
                            + " an was we will can us about if page has our free but my see one only they their time some which site"
                            + " what out up these been no make so who when its how now them than into first also would work may two"
                            + " where through each other please order code account confirm address delivery invoice number summer"
                            + " members offer week until Monday before travel price museum garden kitchen harvest weather festival")
                    .split(" "));

    private SampleMessage() {}

    /** A newsletter of about this many bytes. It compresses as well as real mail does, to 0.4 to 0.6. */
    public static byte[] newsletter(int size) {
        Random random = new Random(size);
        StringBuilder mail = header("related", size);
        mail.append("--outer\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body>\r\n");
        int text = size < WITH_IMAGE ? size : size / 2;
        while (mail.length() < text) {
            mail.append("<tr><td class=\"text\" style=\"font-family:Arial;padding:0 24px\">\r\n");
            for (int i = 1; i <= WORDS_A_PARAGRAPH; i++) {
                // Few words are frequent, and most are rare.
                int word = (int) (WORDS.size() * Math.pow(random.nextDouble(), 2));
                mail.append(WORDS.get(word)).append(i % 9 == 0 ? "\r\n" : " ");
            }
            byte[] token = new byte[TOKEN_BYTES];
            random.nextBytes(token);
            mail.append("<a href=\"https://click.sender.example/c/")
                    .append(Base64.getUrlEncoder().encodeToString(token))
                    .append("\">More</a></td></tr>\r\n");
        }
        mail.append("</body></html>\r\n");
        return size < WITH_IMAGE ? end(mail) : withFile(mail, "image/jpeg", size);
    }

    /** A short text with an attachment of random bytes, which compresses to 0.76 at best. */
    public static byte[] content(int size) {
        StringBuilder mail = header("mixed", size);
        mail.append("--outer\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Here are the figures.</p>\r\n");
        return withFile(mail, "application/pdf", size);
    }

    private static StringBuilder header(String multipart, int size) {
        return new StringBuilder(size + 1024).append("""
                From: =?UTF-8?Q?Anna_M=C3=BCller?= <anna@sender.example>
                To: Grace <grace@in.oneshot.localhost>
                Subject: =?UTF-8?B?R3LDvMOfZQ==?= and the figures for the quarter
                Date: Fri, 20 Nov 2026 12:00:00 +0000
                Message-ID: <20261120120000.1@sender.example>
                MIME-Version: 1.0
                Content-Type: multipart/%s; boundary="outer"

                --outer
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                Hello,=20

                here are the figures. Gr=C3=BC=C3=9Fe, Anna
                """.formatted(multipart).replace("\n", "\r\n"));
    }

    private static byte[] withFile(StringBuilder mail, String type, int size) {
        mail.append("--outer\r\nContent-Type: ")
                .append(type)
                .append("\r\nContent-Disposition: attachment; filename*=UTF-8''M%C3%A4rz\r\n")
                .append("Content-Transfer-Encoding: base64\r\n\r\n");
        byte[] file = Bench.randomBytes(Math.max(0, size - mail.length()) * LINE_BYTES / LINE_CHARACTERS);
        return end(mail.append(Base64.getMimeEncoder().encodeToString(file)).append("\r\n"));
    }

    private static byte[] end(StringBuilder mail) {
        return mail.append("--outer--\r\n.\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    }
}
