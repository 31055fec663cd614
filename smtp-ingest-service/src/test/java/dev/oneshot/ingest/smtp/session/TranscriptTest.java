package dev.oneshot.ingest.smtp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.TlsFacts;
import dev.oneshot.ingest.smtp.data.MemoryBudget;
import dev.oneshot.ingest.transcript.Delivered;
import dev.oneshot.ingest.transcript.Transcript;
import dev.oneshot.ingest.transcript.Transcript.Step;
import dev.oneshot.ingest.transcript.TranscriptRecipients;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every transcript against the state machine, with the client's octets cut up in every way that matters. */
class TranscriptTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));
    private static final int EVERY_SPLIT_BYTES_MAX = 1_000;
    private static final int RANDOM_CUTS = 20;

    /** What a play led to. */
    private record Play(String replies, boolean closed, Delivered delivered, long memoryHeld) {}

    @TestFactory
    Stream<DynamicTest> isPlayedWhole() throws IOException {
        return each(transcript -> checkPlay(transcript, Integer.MAX_VALUE, 0));
    }

    @TestFactory
    Stream<DynamicTest> isPlayedOctetByOctet() throws IOException {
        return each(transcript -> checkPlay(transcript, 1, 0));
    }

    @TestFactory
    Stream<DynamicTest> isPlayedInTwoPiecesSplitAtEveryOctet() throws IOException {
        return each(transcript -> {
            int longest =
                    segments(transcript).stream().mapToInt(s -> s.length).max().orElse(0);
            int step = Math.max(1, longest / EVERY_SPLIT_BYTES_MAX);
            for (int split = 1; split < longest; split += step) {
                checkPlay(transcript, Integer.MAX_VALUE, split);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> isPlayedInRandomPieces() throws IOException {
        return each(transcript -> {
            Random random = new Random(transcript.toString().hashCode());
            for (int i = 0; i < RANDOM_CUTS; i++) {
                checkPlay(transcript, 2 + random.nextInt(40), 1 + random.nextInt(10));
            }
        });
    }

    private interface Check {
        void of(Transcript transcript) throws IOException;
    }

    private static Stream<DynamicTest> each(Check check) throws IOException {
        return Transcript.all().stream().map(t -> dynamicTest(t.toString(), () -> check.of(t)));
    }

    private static void checkPlay(Transcript transcript, int pieceBytes, int firstBytes) {
        Play play = play(transcript, pieceBytes, firstBytes);
        assertThat(play.replies())
                .as("replies with pieces of %d octets, the first of %d", pieceBytes, firstBytes)
                .matches(transcript.replies());
        assertThat(play.closed()).as("closed").isEqualTo(transcript.closes());
        play.delivered().check();
        assertThat(play.memoryHeld()).as("memory held in the end").isZero();
    }

    private static Play play(Transcript transcript, int pieceBytes, int firstBytes) {
        AtomicLong held = new AtomicLong();
        SmtpSession session = new SmtpSession(
                transcript.policy(),
                new TranscriptRecipients(),
                new CountedMemory(held, transcript.memoryBytesMax()),
                CLOCK,
                (_, _) -> {},
                new Client("session", InetAddress.getLoopbackAddress(), true),
                ClientAllowance.UNLIMITED);
        Delivered delivered = new Delivered(transcript);
        StringBuilder replies = new StringBuilder();
        Output output = session.greet();
        replies.append(text(output));
        List<byte[]> segments = segments(transcript);
        for (int i = 0; i < segments.size(); i++) {
            if (i > 0) {
                assertThat(output.next()).as("before the handshake").isInstanceOf(Output.Next.StartTls.class);
                session.secured(new TlsFacts("TLSv1.3", "TLS_AES_256_GCM_SHA384"));
            }
            output = feed(session, segments.get(i), pieceBytes, firstBytes, delivered, replies, output);
        }
        boolean closed = output.next() instanceof Output.Next.Close;
        session.abandon();
        return new Play(replies.toString(), closed, delivered, held.get());
    }

    private static Output feed(
            SmtpSession session,
            byte[] octets,
            int pieceBytes,
            int firstBytes,
            Delivered delivered,
            StringBuilder replies,
            Output before) {
        Output output = before;
        int at = 0;
        while (at < octets.length) {
            int most = at == 0 && firstBytes > 0 ? firstBytes : pieceBytes;
            int count = Math.min(most, octets.length - at);
            ByteBuffer piece = ByteBuffer.wrap(octets, at, count);
            at += count;
            output = session.receive(piece);
            replies.append(text(output));
            boolean asked = true;
            while (asked) {
                switch (output.next()) {
                    case Output.Next.Deliver deliver -> {
                        session.settle(delivered.take(deliver.transaction()));
                        output = session.receive(piece);
                        replies.append(text(output));
                    }
                    case Output.Next.AwaitDrain _ -> {
                        output = session.proceed(piece);
                        replies.append(text(output));
                    }
                    case Output.Next.AwaitMemory _ -> {
                        output = session.proceedWithMemory(false, piece);
                        replies.append(text(output));
                    }
                    case Output.Next.Read _, Output.Next.StartTls _, Output.Next.Close _ -> asked = false;
                }
            }
            if (!(output.next() instanceof Output.Next.Read)) {
                return output;
            }
            assertThat(piece.hasRemaining()).as("octets left behind").isFalse();
        }
        return output;
    }

    private static List<byte[]> segments(Transcript transcript) {
        List<byte[]> segments = new ArrayList<>();
        ByteArrayOutputStream segment = new ByteArrayOutputStream();
        for (Step step : transcript.steps()) {
            switch (step) {
                case Step.Send send -> segment.writeBytes(send.octets());
                case Step.Handshake _ -> {
                    segments.add(segment.toByteArray());
                    segment.reset();
                }
                case Step.Expect _ -> {}
            }
        }
        segments.add(segment.toByteArray());
        return segments;
    }

    private static String text(Output output) {
        return new String(output.replies(), StandardCharsets.UTF_8);
    }

    private record CountedMemory(AtomicLong held, long max) implements MemoryBudget {
        @Override
        public boolean reserve(long octets) {
            if (held.get() + octets > max) {
                return false;
            }
            held.addAndGet(octets);
            return true;
        }

        @Override
        public void release(long octets) {
            held.addAndGet(-octets);
        }
    }
}
