package dev.oneshot.ingest.transcript;

import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.TlsParameters;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.ingest.smtp.session.Output;
import dev.oneshot.ingest.transcript.SessionLaws.Outcome;
import dev.oneshot.testing.Law;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** One session with a client that sends given octets in pieces of given sizes. Plays once. */
final class SessionPlay {

    /** The memory of a message besides its content: trace fields, and the rest of the last segment. */
    private static final long MEMORY_BESIDES_MAX = 30 * 1024;

    private static final TlsParameters TLS = new TlsParameters("TLSv1.3", "TLS_AES_256_GCM_SHA384");

    private final SmtpPolicy policy;
    private final CountedMemory memory;
    private final byte[] octets;
    private final IntSupplier pieces;
    private final List<String> messages = new ArrayList<>();
    private final PlayedSession played;
    private ByteBuffer piece = ByteBuffer.allocate(0);
    private @Nullable DataReference reference;
    private boolean closed;

    SessionPlay(SmtpPolicy policy, CountedMemory memory, byte[] octets, IntSupplier pieces) {
        this.policy = policy;
        this.memory = memory;
        this.octets = octets;
        this.pieces = pieces;
        this.played = new PlayedSession(policy, memory, this::take, this::hear);
    }

    /** Compares with a second implementation of DATA, which needs the octets one by one. */
    SessionPlay withReference() {
        reference = new DataReference(octets);
        return this;
    }

    Outcome play() {
        abandonAfter(octets.length);
        return new Outcome(played.replies(), List.copyOf(messages), closed);
    }

    /** Loses the connection after {@code count} octets. */
    void abandonAfter(int count) {
        while (piece.position() < count && !closed) {
            piece = ByteBuffer.wrap(octets, piece.position(), Math.min(pieces.getAsInt(), count - piece.position()));
            Output.Next next = played.receive(piece);
            while (next instanceof Output.Next.StartTls) {
                played.session().secured(TLS);
                next = played.receive(piece);
            }
            closed = next instanceof Output.Next.Close;
            Law.requires(closed || !piece.hasRemaining(), () -> piece.remaining() + " octets left behind");
        }
        played.session().abandon();
        Law.requires(memory.held() == 0, () -> memory.held() + " bytes of memory not released");
        Law.requires(
                memory.most() <= policy.messageBytesMax() + MEMORY_BESIDES_MAX,
                () -> memory.most() + " bytes of memory held");
    }

    private void hear(Output output) {
        if (reference != null && !(output.next() instanceof Output.Next.Deliver)) {
            String text = new String(output.replies(), StandardCharsets.ISO_8859_1);
            reference.replied(text, piece.position(), output.next() instanceof Output.Next.Close);
        }
    }

    private DeliveryOutcome take(MailTransaction transaction) {
        String message = new String(transaction.octets().toByteArray(), StandardCharsets.ISO_8859_1);
        int recipients = transaction.envelope().recipients().size();
        Law.requires(recipients >= 1 && recipients <= policy.recipientsMax(), () -> "a message for " + recipients);
        String content = TraceCheck.contentOf(message);
        // The session may add an empty line, which does not count.
        int counted = content.matches("(?s)\r\n[ \t].*") ? content.length() - 2 : content.length();
        Law.requires(
                counted <= policy.messageBytesMax()
                        && transaction.envelope().recipients().stream()
                                .allMatch(recipient -> counted <= recipient.messageBytesMax()),
                () -> "a message of " + counted + " bytes exceeds the bound");
        if (reference != null) {
            reference.delivered(content, piece.position());
        }
        messages.add(transaction.envelope() + "\n" + message);
        DeliveryOutcome[] outcomes = DeliveryOutcome.values();
        return outcomes[content.length() % outcomes.length];
    }
}
