package dev.oneshot.ingest.smtp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.oneshot.ingest.smtp.TlsParameters;
import dev.oneshot.ingest.transcript.CountedMemory;
import dev.oneshot.ingest.transcript.Delivered;
import dev.oneshot.ingest.transcript.PlayedSession;
import dev.oneshot.ingest.transcript.Transcript;
import dev.oneshot.ingest.transcript.Transcript.Step;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every transcript against the state machine, with the client's octets cut up in every way that matters. */
class TranscriptTest {

    private static final int EVERY_SPLIT_BYTES_MAX = 1_000;
    private static final int RANDOM_CUTS = 20;

    @TestFactory
    Stream<DynamicTest> isPlayedInPiecesOfEverySize() throws IOException {
        return Transcript.all().stream()
                .map(transcript -> dynamicTest(transcript.toString(), () -> playInPieces(transcript)));
    }

    /** Octet by octet, whole, in two pieces split at every octet, and in random pieces. */
    private static void playInPieces(Transcript transcript) {
        play(transcript, 1, 0);
        play(transcript, Integer.MAX_VALUE, 0);
        int longest =
                segments(transcript).stream().mapToInt(s -> s.length).max().orElse(0);
        int step = Math.max(1, longest / EVERY_SPLIT_BYTES_MAX);
        for (int split = 1; split < longest; split += step) {
            play(transcript, Integer.MAX_VALUE, split);
        }
        Random random = new Random(transcript.toString().hashCode());
        for (int i = 0; i < RANDOM_CUTS; i++) {
            play(transcript, 2 + random.nextInt(40), 1 + random.nextInt(10));
        }
    }

    private static void play(Transcript transcript, int pieceBytes, int firstBytes) {
        CountedMemory memory = CountedMemory.of(transcript.memoryBytesMax());
        Delivered delivered = new Delivered(transcript);
        PlayedSession played = new PlayedSession(transcript.policy(), memory, delivered::take);
        List<byte[]> segments = segments(transcript);
        Output.Next next = new Output.Next.Read();
        for (int i = 0; i < segments.size(); i++) {
            if (i > 0) {
                assertThat(next).as("before the handshake").isInstanceOf(Output.Next.StartTls.class);
                played.session().secured(new TlsParameters("TLSv1.3", "TLS_AES_256_GCM_SHA384"));
                next = new Output.Next.Read();
            }
            byte[] octets = segments.get(i);
            int at = 0;
            while (at < octets.length && next instanceof Output.Next.Read) {
                int most = at == 0 && firstBytes > 0 ? firstBytes : pieceBytes;
                ByteBuffer piece = ByteBuffer.wrap(octets, at, Math.min(most, octets.length - at));
                at = piece.limit();
                next = played.receive(piece);
                assertThat(piece.hasRemaining() && next instanceof Output.Next.Read)
                        .as("octets left behind")
                        .isFalse();
            }
        }
        played.session().abandon();
        assertThat(played.replies())
                .as("replies with pieces of %d octets, the first of %d", pieceBytes, firstBytes)
                .matches(transcript.replies());
        assertThat(next instanceof Output.Next.Close).as("closed").isEqualTo(transcript.closes());
        delivered.check();
        assertThat(memory.held()).as("memory held in the end").isZero();
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
}
