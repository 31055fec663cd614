package dev.oneshot.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.oneshot.fuzz.SessionPlay.Outcome;
import dev.oneshot.message.Law;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Laws of the SMTP session for any input: it never throws, its replies are well-formed lines, it releases its memory, and
 * the outcome of a dialogue does not depend on how its octets are split.
 *
 * <p>Octet by octet, a second, much simpler implementation of RFC 5321 §4.5.2 must agree about where each message ends
 * and what it contains: only CRLF.CRLF ends a message, so none can be smuggled in.
 */
class SessionFuzzTest {

    private static final Pattern REPLIES = Pattern.compile("(?:[2-5][0-9][0-9][ -][\\x20-\\x7e]{0,506}\r\n)*");
    private static final int PIECE_MAX = 50;

    @DictionaryFile(resourcePath = "session.dict")
    @MethodSource("dev.oneshot.fuzz.Seeds#dialogues")
    @FuzzTest
    void dialogueKeepsTheLaws(byte[] octets) {
        Outcome whole = new SessionPlay(octets, () -> octets.length).play();
        Law.requires(REPLIES.matcher(whole.replies()).matches(), () -> "malformed replies: " + whole.replies());
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
