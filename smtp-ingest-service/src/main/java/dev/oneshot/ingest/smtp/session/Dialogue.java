package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.Envelope;
import dev.oneshot.ingest.smtp.ForwardPath;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.Reply;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.TlsParameters;
import dev.oneshot.ingest.smtp.command.Command;
import dev.oneshot.ingest.smtp.data.Content;
import dev.oneshot.ingest.smtp.data.DataReader;
import dev.oneshot.ingest.smtp.data.MemoryBudget;
import dev.oneshot.ingest.smtp.data.TraceFields;
import dev.oneshot.ingest.smtp.session.RecipientPolicy.Decision;
import dev.oneshot.ingest.smtp.session.SessionState.AwaitingMemory;
import dev.oneshot.ingest.smtp.session.SessionState.BetweenChunks;
import dev.oneshot.ingest.smtp.session.SessionState.Closed;
import dev.oneshot.ingest.smtp.session.SessionState.Commanding;
import dev.oneshot.ingest.smtp.session.SessionState.Connected;
import dev.oneshot.ingest.smtp.session.SessionState.Delivering;
import dev.oneshot.ingest.smtp.session.SessionState.MailGiven;
import dev.oneshot.ingest.smtp.session.SessionState.Message;
import dev.oneshot.ingest.smtp.session.SessionState.Ready;
import dev.oneshot.ingest.smtp.session.SessionState.ReceivingChunk;
import dev.oneshot.ingest.smtp.session.SessionState.ReceivingData;
import dev.oneshot.ingest.smtp.session.SessionState.SkippingChunk;
import dev.oneshot.ingest.smtp.session.SessionState.StartingTls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Handles commands: from a state and a command to the next state and a reply. */
final class Dialogue {

    private final SessionPorts ports;
    private final SmtpPolicy policy;
    private final RecipientPolicy recipients;
    private final ExpectedRetries retries;
    private final MemoryBudget memory;
    private final Client client;
    private final ClientAllowance allowance;

    private @Nullable TlsParameters tls;
    private int transactions;

    Dialogue(SessionPorts ports, MemoryBudget memory, Client client, ClientAllowance allowance) {
        this.ports = ports;
        this.policy = ports.policy();
        this.recipients = ports.recipients();
        this.retries = ports.expectedRetries();
        this.memory = memory;
        this.client = client;
        this.allowance = allowance;
    }

    /**
     * The result of a command.
     *
     * @param reply null if it comes later, after the octets of a chunk or a wait for memory
     */
    record Turn(SessionState next, @Nullable Reply reply) {}

    void secured(TlsParameters parameters) {
        tls = parameters;
    }

    Turn handle(Commanding state, Command command) {
        return switch (command) {
            case Command.Hello hello -> hello(state, hello);
            case Command.Mail mail -> mail(state, mail);
            case Command.Rcpt rcpt -> rcpt(state, rcpt.forwardPath());
            case Command.Data _ -> data(state);
            case Command.Bdat bdat -> bdat(state, bdat);
            case Command.Rset _ -> new Turn(reset(state), Replies.OK);
            case Command.Noop _ -> new Turn(state, Replies.OK);
            case Command.Vrfy _ -> new Turn(state, Replies.CANNOT_VERIFY);
            case Command.Help _ -> new Turn(state, Replies.help(offersTls()));
            case Command.StartTls _ -> startTls(state);
            case Command.Quit _ -> new Turn(state.closed(false), Replies.BYE);
        };
    }

    private Turn hello(Commanding state, Command.Hello hello) {
        reset(state);
        Reply reply = hello.extended() ? Replies.ehlo(policy, offersTls()) : Replies.helo(policy.hostname());
        return new Turn(new Ready(new Origin(client, hello.name(), hello.extended(), tls)), reply);
    }

    private boolean offersTls() {
        return client.tlsOffered() && tls == null;
    }

    /** Ends an open mail transaction. */
    private static Commanding reset(Commanding state) {
        state.content().ifPresent(Content::release);
        return switch (state) {
            case Connected connected -> connected;
            case Ready ready -> ready;
            case MailGiven given -> new Ready(given.origin());
            case BetweenChunks between -> between.message().over();
        };
    }

    /** The reply to a command that needs another one before it. */
    private static Reply outOfSequence(Commanding state) {
        return switch (state) {
            case Connected _ -> Replies.HELLO_FIRST;
            case Ready _ -> Replies.MAIL_FIRST;
            case MailGiven given -> given.recipientsRefused() ? Replies.NO_VALID_RECIPIENTS : Replies.RCPT_FIRST;
            case BetweenChunks _ -> Replies.CHUNKS_ONLY;
        };
    }

    private Turn mail(Commanding state, Command.Mail mail) {
        return switch (state) {
            case Ready ready -> mail(ready, mail);
            case MailGiven given -> new Turn(given, Replies.NESTED_MAIL);
            case Connected _, BetweenChunks _ -> new Turn(state, outOfSequence(state));
        };
    }

    private Turn mail(Ready ready, Command.Mail mail) {
        if (transactions >= policy.messagesMax()) {
            return new Turn(new Closed(true), Replies.TOO_MANY_MESSAGES);
        }
        if (mail.declaredBytes() > policy.messageBytesMax()) {
            return new Turn(ready, Replies.tooLarge(policy.messageBytesMax(), false));
        }
        if (mail.reversePath().isInternational() && !mail.smtpUtf8()) {
            return new Turn(ready, Replies.INTERNATIONAL_SENDER);
        }
        if (!allowance.takeMessage()) {
            return new Turn(ready, Replies.TOO_MANY_MESSAGES_FROM_CLIENT);
        }
        transactions++;
        return new Turn(new MailGiven(ready.origin(), mail, List.of(), false), Replies.SENDER_OK);
    }

    private Turn rcpt(Commanding state, ForwardPath forwardPath) {
        if (!(state instanceof MailGiven given)) {
            return new Turn(state, outOfSequence(state));
        }
        return switch (forwardPath) {
            case ForwardPath.Role role -> rcptOfRole(given, new Mailbox(role.localPart(), policy.hostname()));
            case ForwardPath.To to -> rcpt(given, to.mailbox());
        };
    }

    private Turn rcpt(MailGiven given, Mailbox mailbox) {
        if (mailbox.isInternational() && !given.mail().smtpUtf8()) {
            return refused(given, Replies.INTERNATIONAL_RECIPIENT);
        }
        ReversePath reversePath = given.mail().reversePath();
        return switch (recipients.decide(mailbox, reversePath)) {
            case Decision.Refused.OTHER_DOMAIN -> refused(given, Replies.OTHER_DOMAIN);
            case Decision.Refused.NO_SUCH_ADDRESS ->
                refused(
                        given,
                        allowance.takeUnknownRecipient()
                                ? Replies.NO_SUCH_ADDRESS
                                : Replies.TOO_MANY_UNKNOWN_RECIPIENTS);
            case Decision.Refused.POSTMASTER -> rcptOfRole(given, mailbox);
            case Decision.Accepted(Recipient recipient)
            when recipient.used() && !retries.expects(recipient.addressId(), reversePath) ->
                refused(given, Replies.ADDRESS_USED);
            case Decision.Accepted(Recipient recipient) -> rcpt(given, recipient);
        };
    }

    private Turn rcptOfRole(MailGiven given, Mailbox mailbox) {
        SmtpPolicy.Postmaster postmaster = policy.postmaster();
        if (postmaster == null) {
            return refused(given, Replies.noMailbox(mailbox.localPart()));
        }
        // Anyone can name the postmaster, so this counts as an unknown recipient.
        return allowance.takeUnknownRecipient()
                ? rcpt(given, Recipient.postmaster(mailbox, postmaster.messageBytesMax()))
                : refused(given, Replies.TOO_MANY_MESSAGES_FROM_CLIENT);
    }

    private Turn rcpt(MailGiven given, Recipient recipient) {
        if (given.mail().declaredBytes() > recipient.messageBytesMax()) {
            return refused(given, Replies.tooLarge(recipient.messageBytesMax(), false));
        }
        List<Recipient> others = given.recipients();
        if (others.stream().anyMatch(other -> other.addressId().equals(recipient.addressId()))) {
            return new Turn(given, Replies.RECIPIENT_OK);
        }
        // Each kind has its own rules for content, so the client must send a separate mail for each.
        boolean otherKind = !others.isEmpty() && others.getFirst().kind() != recipient.kind();
        return otherKind || others.size() >= policy.recipientsMax()
                ? new Turn(given, Replies.TOO_MANY_RECIPIENTS)
                : new Turn(given.rcpt(recipient), Replies.RECIPIENT_OK);
    }

    private static Turn refused(MailGiven given, Reply reply) {
        return new Turn(given.rcptRefused(), reply);
    }

    private Turn data(Commanding state) {
        if (!(state instanceof MailGiven given) || given.recipients().isEmpty()) {
            return new Turn(state, outOfSequence(state));
        }
        if (given.mail().binaryMime()) {
            return new Turn(given, Replies.BINARY_NEEDS_CHUNKS);
        }
        ReceivingData receiving = new ReceivingData(begin(given), new DataReader());
        // A client that waits for the 354 sends nothing, so it needs no memory yet.
        return receiving.message().content().begin()
                ? new Turn(receiving, Replies.START_MAIL_INPUT)
                : new Turn(new AwaitingMemory(receiving), null);
    }

    private Turn bdat(Commanding state, Command.Bdat chunk) {
        return switch (state) {
            case MailGiven given when !given.recipients().isEmpty() -> chunk(begin(given), chunk);
            case BetweenChunks between -> chunk(between.message(), chunk);
            case Connected _, Ready _, MailGiven _ ->
                chunk.chunkBytes() > policy.messageBytesMax() + policy.discardBytesMax()
                        ? new Turn(new Closed(true), Replies.CONTENT_ENDLESS)
                        : new Turn(new SkippingChunk(state, outOfSequence(state), chunk.chunkBytes()), null);
        };
    }

    private static Turn chunk(Message message, Command.Bdat chunk) {
        return new Turn(new ReceivingChunk(message, chunk, chunk.chunkBytes()), null);
    }

    private Message begin(MailGiven given) {
        Command.Mail mail = given.mail();
        Origin origin = given.origin();
        Envelope envelope = new Envelope(mail.reversePath(), given.recipients());
        String transactionId = client.sessionId() + '.' + transactions;
        byte[] trace = TraceFields.of(
                policy.hostname(),
                origin,
                mail.smtpUtf8(),
                envelope,
                transactionId,
                ports.clock().instant());
        Content content = new Content(trace, messageBytesMax(envelope), mail.declaredBytes(), policy, memory);
        return new Message(
                transactionId, origin, envelope, content, ports.delivery().begin(origin, envelope.reversePath()));
    }

    private long messageBytesMax(Envelope envelope) {
        return Math.min(policy.messageBytesMax(), envelope.messageBytesMax());
    }

    private Turn startTls(Commanding state) {
        if (tls != null) {
            return new Turn(state, Replies.TLS_ALREADY);
        }
        if (!client.tlsOffered()) {
            return new Turn(state, Replies.TLS_NOT_OFFERED);
        }
        reset(state);
        return new Turn(new StartingTls(), Replies.READY_FOR_TLS);
    }

    /** Handles a complete message. Recipients may have changed since RCPT. */
    Turn ended(Message message) {
        List<Recipient> given = message.envelope().recipients();
        Map<String, Reply> rejections = new HashMap<>();
        for (Recipient recipient : given) {
            rejection(recipient, message).ifPresent(reply -> rejections.put(recipient.addressId(), reply));
        }
        if (rejections.isEmpty()) {
            return new Turn(
                    new Delivering(message, message.received(ports.clock().instant())), null);
        }
        message.content().release();
        if (rejections.size() < given.size()) {
            // There is one reply for all recipients. At the retry each gets its own, to RCPT.
            rejections.keySet().forEach(retries::forget);
            return new Turn(message.over(), Replies.NOT_STORED);
        }
        return new Turn(
                message.over(),
                rejections.containsValue(Replies.ADDRESS_USED) ? Replies.ADDRESS_USED : Replies.NO_SUCH_ADDRESS);
    }

    private Optional<Reply> rejection(Recipient recipient, Message message) {
        if (recipient.kind() == Recipient.Kind.POSTMASTER) {
            return Optional.empty();
        }
        return switch (recipients.decide(recipient.mailbox(), message.envelope().reversePath())) {
            case Decision.Refused _ -> Optional.of(Replies.NO_SUCH_ADDRESS);
            case Decision.Accepted(Recipient present)
            when present.used() && !retries.contain(present.addressId(), message.fingerprint()) ->
                Optional.of(Replies.ADDRESS_USED);
            case Decision.Accepted _ -> Optional.empty();
        };
    }

    /** The reply to a delivered message. */
    static Reply settled(MailTransaction transaction, DeliveryOutcome outcome) {
        Envelope envelope = transaction.envelope();
        return switch (outcome) {
            case STORED -> Replies.stored(transaction.id());
            case UNAVAILABLE -> Replies.NOT_STORED;
            case ATTACHMENT_TOO_LARGE ->
                Replies.attachmentTooLarge(
                        envelope.attachmentBytesMax(), envelope.recipients().size() > 1);
            case NO_FAILURE_NOTICE -> Replies.NO_FAILURE_NOTICE;
            case LOOP -> Replies.MAIL_LOOP;
            case NOT_RELAYABLE -> Replies.NOT_RELAYABLE;
            case OVERLOADED -> Replies.NO_MEMORY;
        };
    }

    /** The reply to a rejected message. */
    Reply refusal(Message message, Content.Fault fault) {
        Envelope envelope = message.envelope();
        return switch (fault) {
            case TOO_LARGE ->
                Replies.tooLarge(
                        messageBytesMax(envelope), envelope.recipients().size() > 1);
            case HEADER_TOO_LARGE -> Replies.HEADER_TOO_LARGE;
            case LINE_TOO_LONG -> Replies.CONTENT_LINE_TOO_LONG;
            case NO_MEMORY -> Replies.NO_MEMORY;
            case ENDLESS -> Replies.CONTENT_ENDLESS;
        };
    }
}
