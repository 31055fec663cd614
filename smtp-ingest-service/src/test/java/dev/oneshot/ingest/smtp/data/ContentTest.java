package dev.oneshot.ingest.smtp.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.transcript.CountedMemory;
import dev.oneshot.ingest.transcript.Transcript;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The octets of a message as they come in: what is held of them, and that none is lost between the segments. */
class ContentTest {

    private static final int MEBIBYTE = 1024 * 1024;
    private static final int MESSAGE_MAX = 16 * MEBIBYTE;
    private static final SmtpPolicy POLICY = Transcript.policyOf(
            "messageBytesMax=" + MESSAGE_MAX, "headerBytesMax=" + MESSAGE_MAX, "contentLineBytesMax=" + MESSAGE_MAX);
    private static final byte[] TRACE = new byte[300];

    @BeforeTry
    private CountedMemory memory = CountedMemory.of(Long.MAX_VALUE);

    /** As large as it may be. Our fields end at a segment of their own, or in the middle of the first. */
    @Property(tries = 400)
    void whatComesInPiecesOfAnySizeIsTheSameOctets(
            @ForAll @IntRange(min = 1, max = 10_000) int traceLength,
            @ForAll @IntRange(min = 1, max = 3 * MEBIBYTE) int length,
            @ForAll @IntRange(min = 1, max = 100_000) int piece,
            @ForAll @IntRange(max = 4 * MEBIBYTE) int declared,
            @ForAll boolean beginsWithABlank) {
        byte[] octets = random(length);
        byte[] front = new byte[traceLength];
        Content content = new Content(front, length, declared, POLICY, memory);
        if (beginsWithABlank) {
            octets[0] = ' ';
            front = Arrays.copyOf(front, traceLength + 2);
            front[traceLength] = '\r';
            front[traceLength + 1] = '\n';
        }

        append(content, octets, piece);

        byte[] message = content.octets().toByteArray();
        assertThat(content.fault()).isNull();
        assertThat(message).isEqualTo(inFrontOf(octets, front));
        assertThat(content.octets().traceLength()).isEqualTo(front.length);
        assertStartsWith(content.octets().contiguous(), message);
        assertNothingIsHeldAfter(content);
    }

    /** Wherever the field lies in the segments, the rest stays as it came. */
    @Property(tries = 200)
    void aFieldOfOursIsRemovedWhereverItLies(
            @ForAll @IntRange(max = 60_000) int before,
            @ForAll @IntRange(max = 60_000) int after,
            @ForAll @IntRange(max = 60_000) int body,
            @ForAll @IntRange(min = 1, max = 100_000) int piece,
            @ForAll @IntRange(max = 40_000) int declared) {
        String own = "Authentication-Results: mx.example; spf=pass\r\n";
        String first = "A: " + "a".repeat(before) + "\r\n";
        String rest = "B: " + "b".repeat(after) + "\r\n\r\n" + own + "c".repeat(body);
        Content content = content(declared);
        append(content, ascii(first + own + rest), piece);

        assertThat(content.removeOwnResults()).isEqualTo(1);

        MessageOctets octets = content.octets();
        assertThat(octets.toByteArray()).isEqualTo(inFrontOf(ascii(first + rest), TRACE));
        assertThat(octets.length()).isEqualTo(TRACE.length + first.length() + rest.length());
        assertStartsWith(octets.contiguous(), octets.toByteArray());
        assertNothingIsHeldAfter(content);
    }

    /** Otherwise unused memory would exhaust the budget, and clients would get 452 for no reason. */
    @ParameterizedTest
    @CsvSource({"5242880, 0", "5242880, 5242880", "5242880, 1000", "1100000, 0", "12582912, 0"})
    void aLargeMessageHoldsAtMostAMebibyteMoreThanItHasWhileItComesIn(int length, int declared) {
        byte[] octets = random(length);

        Content content = content(declared);
        append(content, octets, 60_000);

        assertThat(memory.most() - length).isBetween(0L, (long) MEBIBYTE);
    }

    @Test
    void aMessageAsLongAsDeclaredHoldsNothingMoreThanAnEmptyLineMayNeed() {
        Content content = content(12_000);

        append(content, random(12_000), 500);

        assertThat(memory.most()).isEqualTo(TRACE.length + 2 + 12_000);
    }

    @Test
    void aClientThatDeclaresALotAndSendsNothingHoldsLittle() {
        Content content = content(MESSAGE_MAX);

        assertThat(memory.held()).isZero();
        assertThat(content.begin()).isTrue();
        assertThat(memory.held()).isEqualTo(16 * 1024);
        assertNothingIsHeldAfter(content);
    }

    /** No message waits for memory that it would not use. */
    @Test
    void largestMessageNeedsNoMemoryBeyondItsLastOctet() {
        byte[] octets = random(20_000);
        Content content = new Content(TRACE, octets.length, 0, POLICY, memory);
        append(content, octets, 1_000);
        assertThat(memory.most()).isEqualTo(TRACE.length + octets.length);

        memory.limit(memory.held());
        assertThat(content.read(ByteBuffer.wrap(new byte[1]), 1)).isEqualTo(1);

        assertThat(content.fault()).isEqualTo(Content.Fault.TOO_LARGE);
        assertThat(memory.held()).isZero();
    }

    @Test
    void deliveryThatHasACopyGivesTheMemoryBackBeforeTheOutcomeAndOnlyOnce() {
        Content content = content(0);
        append(content, random(40_000), 1_000);
        MessageOctets octets = content.octets();

        octets.discard();

        assertThat(memory.held()).isZero();
        assertThat(octets.length()).isEqualTo(TRACE.length + 40_000);
        // Discarded bytes must not be read as zeros.
        assertThatThrownBy(octets::contiguous).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(octets::toByteArray).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> octets.copyTo(new byte[octets.length()], 0)).isInstanceOf(IllegalStateException.class);
        assertNothingIsHeldAfter(content);
    }

    private Content content(long declared) {
        return new Content(TRACE, MESSAGE_MAX, declared, POLICY, memory);
    }

    private void assertNothingIsHeldAfter(Content content) {
        content.release();
        assertThat(memory.held()).isZero();
    }

    private static void append(Content content, byte[] octets, int piece) {
        assertThat(content.begin()).isTrue();
        for (int at = 0; at < octets.length; at += piece) {
            int count = Math.min(octets.length - at, piece);
            assertThat(content.read(ByteBuffer.wrap(octets, at, count), count)).isEqualTo(count);
        }
    }

    /** AssertJ's own makes an object of each byte. */
    private static void assertStartsWith(byte[] octets, byte[] expected) {
        assertThat(ByteBuffer.wrap(octets, 0, expected.length)).isEqualTo(ByteBuffer.wrap(expected));
    }

    private static byte[] inFrontOf(byte[] octets, byte[] front) {
        byte[] all = Arrays.copyOf(front, front.length + octets.length);
        System.arraycopy(octets, 0, all, front.length, octets.length);
        return all;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Anything that begins with no blank. */
    private static byte[] random(int length) {
        byte[] octets = new byte[length];
        new Random(length).nextBytes(octets);
        octets[0] = 'x';
        return octets;
    }
}
