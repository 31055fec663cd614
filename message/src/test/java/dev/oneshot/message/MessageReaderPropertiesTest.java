package dev.oneshot.message;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The laws of the reader, for random octets, for messages of the elements it looks for, and for damaged fixtures. */
class MessageReaderPropertiesTest {

    /** What the reader looks for. */
    private static final String[] WORDS = Fixtures.json("words.json", String[].class);

    @Property(tries = 2000)
    void anyOctetsAreReadWithinTheirBounds(@ForAll byte[] octets) {
        MessageLaws.check(octets, MessageLimits.DEFAULTS);
    }

    @Property(tries = 5000)
    void anyMixtureOfWhatTheReaderLooksForIsReadWithinItsBounds(@ForAll("mixtures") String message) {
        MessageLaws.check(message.getBytes(StandardCharsets.ISO_8859_1), MessageLimits.DEFAULTS);
    }

    @Provide
    Arbitrary<String> mixtures() {
        return Arbitraries.of(WORDS).list().ofMaxSize(80).map(words -> String.join("", words));
    }

    @Property(tries = 3000)
    void anyDamagedMessageIsReadWithinItsBounds(@ForAll("fixtures") byte[] message, @ForAll long seed) {
        MessageLaws.check(damaged(message, new Random(seed)), MessageLimits.DEFAULTS);
    }

    @Provide
    Arbitrary<byte[]> fixtures() throws IOException {
        List<byte[]> messages = new ArrayList<>();
        for (String name : Fixtures.names()) {
            messages.add(Fixtures.octets(name));
        }
        return Arbitraries.of(messages).filter(octets -> octets.length < 20_000);
    }

    private static byte[] damaged(byte[] message, Random random) {
        StringBuilder text = new StringBuilder(new String(message, StandardCharsets.ISO_8859_1));
        int changes = 1 + random.nextInt(8);
        for (int i = 0; i < changes && !text.isEmpty(); i++) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(40)));
                case 2 -> text.insert(at, WORDS[random.nextInt(WORDS.length)]);
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(60))));
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
