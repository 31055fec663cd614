package dev.oneshot.fuzz;

import dev.oneshot.fuzz.SessionPlay.Outcome;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The laws of the SMTP session for anything a client sends: it never throws, answers in well-formed reply lines, gives
 * back its memory, and what comes of a dialogue does not depend on how its octets were cut up.
 *
 * <p>Played octet by octet, a second and much simpler reading of RFC 5321 §4.5.2 goes along and has to agree about where
 * every message ends and what is in it: nothing but CRLF.CRLF ends one, so nothing can be smuggled in.
 */
public final class SessionTarget {

    private static final Pattern REPLIES = Pattern.compile("(?:[2-5][0-9][0-9][ -][\\x20-\\x7e]{0,506}\r\n)*");
    private static final int PIECE_MAX = 50;

    private SessionTarget() {}

    /** Tries one dialogue. */
    public static void fuzzerTestOneInput(byte[] octets) {
        Outcome whole = new SessionPlay(octets, () -> octets.length).play();
        Law.requires(REPLIES.matcher(whole.replies()).matches(), () -> "no replies: " + whole.replies());
        same(whole, new SessionPlay(octets, () -> 1).withReference().play(), "octet by octet");
        CRC32 seed = new CRC32();
        seed.update(octets);
        Random random = new Random(seed.getValue());
        same(whole, new SessionPlay(octets, () -> 1 + random.nextInt(PIECE_MAX)).play(), "in pieces");
        new SessionPlay(octets, () -> 1 + random.nextInt(PIECE_MAX)).abandonAfter(random.nextInt(octets.length + 1));
    }

    private static void same(Outcome whole, Outcome cut, String how) {
        Law.requires(whole.equals(cut), () -> "played whole:\n" + whole + "\nplayed " + how + ":\n" + cut);
    }
}
