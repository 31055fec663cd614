package dev.oneshot.fuzz;

import dev.oneshot.ingest.smtp.AuthservId;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.TlsFacts;
import dev.oneshot.ingest.smtp.data.MemoryBudget;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.ingest.smtp.session.Output;
import dev.oneshot.ingest.smtp.session.SmtpSession;
import dev.oneshot.ingest.transcript.PlayedSession;
import dev.oneshot.ingest.transcript.TranscriptRecipients;
import dev.oneshot.message.Law;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** One session with a client that sends given octets in pieces of given sizes. Plays once. */
final class SessionPlay {

    /** Bounds that a few hundred octets reach. */
    private static final SmtpPolicy POLICY =
            new SmtpPolicy("mx.example", AuthservId.of("mx.example"), 2_000, 3, 4, 10, 30, 600, 300, 400, null);

    /** Both arrays of a growing message, including its trace fields. */
    private static final long MEMORY_BYTES_MAX = 32 * 1024;

    private static final TlsFacts TLS = new TlsFacts("TLSv1.3", "TLS_AES_256_GCM_SHA384");

    private final byte[] octets;
    private final IntSupplier pieces;
    private final CountedMemory memory = new CountedMemory();
    private final SmtpSession session;
    private final StringBuilder replies = new StringBuilder();
    private final List<String> messages = new ArrayList<>();
    private @Nullable DataReference reference;
    private int at;
    private boolean closed;

    /**
     * The outcome.
     *
     * @param messages the envelope and the octets of each that was delivered
     */
    record Outcome(String replies, List<String> messages, boolean closed) {}

    SessionPlay(byte[] octets, IntSupplier pieces) {
        this.octets = octets;
        this.pieces = pieces;
        this.session = PlayedSession.session(POLICY, new TranscriptRecipients(), memory);
    }

    /** Compares with a second implementation of DATA, which needs the octets one by one. */
    SessionPlay withReference() {
        reference = new DataReference(octets);
        return this;
    }

    Outcome play() {
        feed(octets.length);
        session.abandon();
        Law.requires(memory.held == 0, () -> memory.held + " bytes of memory not released");
        return new Outcome(replies.toString(), List.copyOf(messages), closed);
    }

    /** Loses the connection after {@code count} octets. */
    void abandonAfter(int count) {
        feed(count);
        session.abandon();
        Law.requires(memory.held == 0, () -> memory.held + " bytes of memory not released after a lost connection");
    }

    private void feed(int end) {
        hear(session.greet());
        while (at < end && !closed) {
            ByteBuffer piece = ByteBuffer.wrap(octets, at, Math.min(pieces.getAsInt(), end - at));
            boolean reading = true;
            while (reading) {
                reading = follow(session.receive(piece), piece);
            }
        }
    }

    /** Does what the session asks for; returns whether to call it again with the rest of the piece. */
    private boolean follow(Output output, ByteBuffer piece) {
        at = piece.position();
        hear(output);
        return switch (output.next()) {
            case Output.Next.Read _ -> {
                Law.requires(!piece.hasRemaining(), () -> piece.remaining() + " octets left behind");
                yield false;
            }
            case Output.Next.Deliver deliver -> {
                session.settle(take(deliver.transaction()));
                yield true;
            }
            case Output.Next.AwaitDrain _ -> follow(session.proceed(piece), piece);
            case Output.Next.AwaitMemory await -> {
                boolean found = memory.find(await.octets());
                yield follow(session.proceedWithMemory(found, piece), piece);
            }
            case Output.Next.StartTls _ -> {
                session.secured(TLS);
                yield true;
            }
            case Output.Next.Close _ -> {
                closed = true;
                yield false;
            }
        };
    }

    private void hear(Output output) {
        String text = new String(output.replies(), StandardCharsets.ISO_8859_1);
        replies.append(text);
        if (reference != null && !(output.next() instanceof Output.Next.Deliver)) {
            reference.heard(text, at, output.next() instanceof Output.Next.Close);
        }
    }

    private DeliveryOutcome take(MailTransaction transaction) {
        String message = new String(transaction.octets().toByteArray(), StandardCharsets.ISO_8859_1);
        int recipients = transaction.envelope().recipients().size();
        Law.requires(recipients >= 1 && recipients <= POLICY.recipientsMax(), () -> "a message for " + recipients);
        String content = TraceCheck.contentOf(message);
        // The session may add an empty line, which does not count.
        int counted = content.matches("(?s)\r\n[ \t].*") ? content.length() - 2 : content.length();
        Law.requires(
                counted <= POLICY.messageBytesMax()
                        && transaction.envelope().recipients().stream()
                                .allMatch(recipient -> counted <= recipient.messageBytesMax()),
                () -> "a message of " + counted + " bytes exceeds the bound");
        if (reference != null) {
            reference.delivered(content, at);
        }
        messages.add(transaction.envelope() + "\n" + message);
        DeliveryOutcome[] outcomes = DeliveryOutcome.values();
        return outcomes[content.length() % outcomes.length];
    }

    private static final class CountedMemory implements MemoryBudget {

        private long held;
        private boolean waitedFor;

        /** Every second reservation has to wait. */
        @Override
        public boolean reserve(long octets) {
            waitedFor = !waitedFor;
            return !waitedFor && find(octets);
        }

        boolean find(long octets) {
            held += octets;
            Law.requires(held <= MEMORY_BYTES_MAX, () -> held + " bytes of memory held");
            return true;
        }

        @Override
        public void release(long octets) {
            held -= octets;
            Law.requires(held >= 0, () -> "more memory released than reserved");
        }
    }
}
