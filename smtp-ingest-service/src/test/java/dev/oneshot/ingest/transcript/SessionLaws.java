package dev.oneshot.ingest.transcript;

import dev.oneshot.authentication.results.AuthservId;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.testing.Law;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Laws of the SMTP session for any input: it never throws, its replies are well-formed lines, it releases its memory, and
 * the outcome of a dialogue does not depend on how its octets are split, or on waits for memory.
 *
 * <p>Octet by octet, a second, much simpler implementation of RFC 5321 §4.5.2 must agree about where each message ends
 * and what it contains: only CRLF.CRLF ends a message, so none can be smuggled in.
 */
public final class SessionLaws {

    /** Bounds that a few hundred octets reach. */
    public static final SmtpPolicy TIGHT =
            new SmtpPolicy("mx.example", AuthservId.of("mx.example"), 2_000, 3, 4, 10, 30, 600, 300, 400, null);

    private static final Pattern REPLIES = Pattern.compile("(?:[2-5][0-9][0-9][ -][\\x20-\\x7e]{0,506}\r\n)*");
    private static final int PIECE_MAX = 50;

    private SessionLaws() {}

    /**
     * The outcome of a dialogue.
     *
     * @param messages the envelope and the octets of each that was delivered
     */
    public record Outcome(String replies, List<String> messages, boolean closed) {}

    /** Fails if this dialogue breaks a law; else returns its outcome. */
    public static Outcome check(SmtpPolicy policy, byte[] octets) {
        CRC32 seed = new CRC32();
        seed.update(octets);
        Random random = new Random(seed.getValue());
        IntSupplier pieces = () -> 1 + random.nextInt(PIECE_MAX);

        Outcome whole = new SessionPlay(policy, CountedMemory.of(Long.MAX_VALUE), octets, () -> octets.length).play();
        Law.requires(REPLIES.matcher(whole.replies()).matches(), () -> "malformed replies: " + whole.replies());
        SessionPlay octetByOctet = new SessionPlay(policy, CountedMemory.waitedFor(), octets, () -> 1);
        same(whole, octetByOctet.withReference().play(), "octet by octet");
        same(whole, new SessionPlay(policy, CountedMemory.halfWaitedFor(), octets, pieces).play(), "in pieces");
        Outcome refused = new SessionPlay(policy, CountedMemory.of(0), octets, () -> octets.length).play();
        same(refused, new SessionPlay(policy, CountedMemory.of(0), octets, pieces).play(), "in pieces without memory");
        new SessionPlay(policy, CountedMemory.halfWaitedFor(), octets, pieces)
                .abandonAfter(random.nextInt(octets.length + 1));
        return whole;
    }

    private static void same(Outcome whole, Outcome cut, String how) {
        Law.requires(whole.equals(cut), () -> "played whole:\n" + whole + "\nplayed " + how + ":\n" + cut);
    }
}
