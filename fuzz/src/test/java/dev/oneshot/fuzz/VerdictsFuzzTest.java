package dev.oneshot.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.oneshot.authentication.dkim.DkimResult;
import dev.oneshot.authentication.dkim.DkimVerifier;
import dev.oneshot.authentication.dkim.HeaderSection;
import dev.oneshot.authentication.dmarc.Dmarc;
import dev.oneshot.authentication.dmarc.DmarcResult;
import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.spf.SpfCheck;
import dev.oneshot.authentication.spf.SpfResult;
import dev.oneshot.testing.Law;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Laws of SPF, DKIM and DMARC for any message and any records: each has a verdict, none throws, and none asks DNS without
 * bound. The input is a message; texts behind a NUL in it are what DNS answers.
 */
class VerdictsFuzzTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final InetAddress CLIENT = InetAddress.ofLiteral("192.0.2.1");
    private static final int RESULTS_MAX = 9;
    // Ten terms of ten hosts each, and a name of the client for each of them.
    private static final int SPF_QUERIES_MAX = 400;
    private static final int DMARC_QUERIES_MAX = 17;

    @MethodSource("dev.oneshot.fuzz.Seeds#signedMessages")
    @FuzzTest
    void everyMessageHasVerdicts(byte[] input) {
        int end = 0;
        while (end < input.length && input[end] != 0) {
            end++;
        }
        String[] texts = new String(input, end, input.length - end, StandardCharsets.ISO_8859_1).split("\0", -1);
        HeaderSection header = HeaderSection.read(input, 0, end);
        List<ByteBuffer> body = List.of(ByteBuffer.wrap(input, header.bodyStart(), end - header.bodyStart()));

        List<DkimResult> dkim = new DkimVerifier(header, body, new Answers(texts), NOW).verify();
        Law.requires(dkim.size() <= RESULTS_MAX, () -> dkim.size() + " results of DKIM");

        Answers spf = new Answers(texts);
        SpfResult result = SpfCheck.check(spf, CLIENT, "client.example", "local", "sender.example");
        Law.requires(spf.queries <= SPF_QUERIES_MAX, () -> spf.queries + " queries for " + result);

        Answers dmarc = new Answers(texts);
        Dmarc.Identifiers identifiers = new Dmarc.Identifiers(
                List.of("mail.sender.example"), List.of("other.example"), List.of("slow.example"));
        DmarcResult evaluated = Dmarc.evaluate("a.sender.example", identifiers, dmarc);
        Law.requires(dmarc.queries <= DMARC_QUERIES_MAX, () -> dmarc.queries + " queries for " + evaluated);
    }

    /** Gives each name one of the texts. */
    private static final class Answers implements Dns {
        private final String[] texts;
        private int queries;

        Answers(String[] texts) {
            this.texts = Arrays.copyOf(texts, texts.length);
        }

        @Override
        public Answer query(String name, Type type) {
            queries++;
            String text = texts[Math.floorMod(name.hashCode(), texts.length)];
            return switch (type) {
                case TXT -> text.isEmpty() ? new Answer.Unknown() : new Answer.Found(List.of(text));
                case A -> text.length() % 2 == 0 ? new Answer.None(false) : new Answer.Found(List.of("192.0.2.2"));
                case AAAA, CNAME -> new Answer.None(true);
                case MX, PTR -> new Answer.Found(List.of("a.example", "b.example"));
            };
        }
    }
}
