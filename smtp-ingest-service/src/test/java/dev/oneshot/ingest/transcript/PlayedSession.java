package dev.oneshot.ingest.transcript;

import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.data.MemoryBudget;
import dev.oneshot.ingest.smtp.session.ClientAllowance;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.ExpectedRetries;
import dev.oneshot.ingest.smtp.session.MailDelivery;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.ingest.smtp.session.Output;
import dev.oneshot.ingest.smtp.session.RecipientPolicy;
import dev.oneshot.ingest.smtp.session.SessionObserver;
import dev.oneshot.ingest.smtp.session.SessionPorts;
import dev.oneshot.ingest.smtp.session.SmtpSession;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Function;

/** A session without a socket, whose tasks are done at once. */
public final class PlayedSession {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

    private final SmtpSession session;
    private final CountedMemory memory;
    private final Function<MailTransaction, DeliveryOutcome> delivery;
    private final Consumer<Output> listener;
    private final StringBuilder replies = new StringBuilder();

    /** Greets the client. */
    public PlayedSession(SmtpPolicy policy, CountedMemory memory, Function<MailTransaction, DeliveryOutcome> delivery) {
        this(policy, memory, delivery, _ -> {});
    }

    /** As above; the listener gets each output of the session before its task is done. */
    public PlayedSession(
            SmtpPolicy policy,
            CountedMemory memory,
            Function<MailTransaction, DeliveryOutcome> delivery,
            Consumer<Output> listener) {
        this.session = session(policy, new TranscriptRecipients(), new ExpectedRetries(CLOCK), memory);
        this.memory = memory;
        this.delivery = delivery;
        this.listener = listener;
        recorded(session.greet());
    }

    /** A session of a client without limits, on the second of January; it has not greeted yet. */
    private static SmtpSession session(
            SmtpPolicy policy, RecipientPolicy recipients, ExpectedRetries retries, MemoryBudget memory) {
        MailDelivery byTheCaller = (_, _) -> (_, _) -> {
            throw new IllegalStateException("the test settles the delivery");
        };
        return new SmtpSession(
                new SessionPorts(policy, recipients, retries, byTheCaller, new Unobserved(), CLOCK),
                memory,
                new Client("session", InetAddress.getLoopbackAddress(), true),
                ClientAllowance.UNLIMITED);
    }

    private static final class Unobserved implements SessionObserver {

        @Override
        public void refused(int code, String status) {}

        @Override
        public void ownResultsRemoved(int fields) {}
    }

    /** The same after its greeting, with any memory. */
    public static SmtpSession greeted(SmtpPolicy policy, RecipientPolicy recipients, ExpectedRetries retries) {
        SmtpSession session = session(policy, recipients, retries, CountedMemory.of(Long.MAX_VALUE));
        session.greet();
        return session;
    }

    /** The octets of a client. */
    public static ByteBuffer octets(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The replies to a client. */
    public static String text(Output output) {
        return new String(output.replies(), StandardCharsets.UTF_8);
    }

    /** Passes octets on; the task that is left is to read, to start TLS or to close. */
    public Output.Next receive(ByteBuffer octets) {
        Output output = recorded(session.receive(octets));
        while (true) {
            switch (output.next()) {
                case Output.Next.Deliver deliver ->
                    output = recorded(session.settle(delivery.apply(deliver.transaction())));
                case Output.Next.AwaitMemory await ->
                    output = recorded(session.proceedWithMemory(memory.find(await.octets()), octets));
                case Output.Next.Read _ when octets.hasRemaining() -> output = recorded(session.proceed(octets));
                case Output.Next.Read _, Output.Next.StartTls _, Output.Next.Close _ -> {
                    return output.next();
                }
            }
        }
    }

    private Output recorded(Output output) {
        replies.append(text(output));
        listener.accept(output);
        return output;
    }

    public SmtpSession session() {
        return session;
    }

    /** All replies, with the greeting. */
    public String replies() {
        return replies.toString();
    }
}
