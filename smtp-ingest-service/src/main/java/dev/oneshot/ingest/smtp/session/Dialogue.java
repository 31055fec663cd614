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
import dev.oneshot.ingest.smtp.TlsFacts;
import dev.oneshot.ingest.smtp.command.Command;
import dev.oneshot.ingest.smtp.command.Command.MailParameters;
import dev.oneshot.ingest.smtp.data.Content;
import dev.oneshot.ingest.smtp.data.MemoryBudget;
import dev.oneshot.ingest.smtp.data.TraceFields;
import dev.oneshot.ingest.smtp.session.RecipientPolicy.Verdict;
import dev.oneshot.ingest.smtp.session.SessionState.AwaitingMemory;
import dev.oneshot.ingest.smtp.session.SessionState.BetweenChunks;
import dev.oneshot.ingest.smtp.session.SessionState.Closed;
import dev.oneshot.ingest.smtp.session.SessionState.Commanding;
import dev.oneshot.ingest.smtp.session.SessionState.Connected;
import dev.oneshot.ingest.smtp.session.SessionState.Delivering;
import dev.oneshot.ingest.smtp.session.SessionState.MailGiven;
import dev.oneshot.ingest.smtp.session.SessionState.Message;
import dev.oneshot.ingest.smtp.session.SessionState.Ready;
import dev.oneshot.ingest.smtp.session.SessionState.ReceivingData;
import dev.oneshot.ingest.smtp.session.SessionState.RecipientsGiven;
import dev.oneshot.ingest.smtp.session.SessionState.Sender;
import dev.oneshot.ingest.smtp.session.SessionState.SkippingChunk;
import dev.oneshot.ingest.smtp.session.SessionState.StartingTls;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Handles commands: from a state and a command to the next state and a reply. */
final class Dialogue {

    private final SmtpPolicy policy;
    private final RecipientPolicy recipients;
    private final MemoryBudget memory;
    private final InstantSource clock;
    private final SessionObserver observer;
    private final Client client;
    private final ClientAllowance allowance;

    private @Nullable TlsFacts tls;
    private int transactions;

    Dialogue(
            SmtpPolicy policy,
            RecipientPolicy recipients,
            MemoryBudget memory,
            InstantSource clock,
            SessionObserver observer,
            Client client,
            ClientAllowance allowance) {
        this.policy = policy;
        this.recipients = recipients;
        this.memory = memory;
        this.clock = clock;
        this.observer = observer;
        this.client = client;
        this.allowance = allowance;
    }

    /**
     * The result of a command.
     *
     * @param reply null if it comes later, after the octets of a chunk or a wait for memory
     */
    record Turn(SessionState next, @Nullable Reply reply) {}

    void secured(TlsFacts facts) {
        tls = facts;
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
            case Command.Quit _ -> {
                reset(state);
                yield new Turn(new Closed(false), Replies.BYE);
            }
        };
    }

    private Turn hello(Commanding state, Command.Hello hello) {
        reset(state);
        Reply reply = hello.extended() ? Replies.ehlo(policy, offersTls()) : Replies.helo(policy.hostname());
        return new Turn(new Connected().hello(hello), reply);
    }

    private boolean offersTls() {
        return client.tlsOffered() && tls == null;
    }

    /** Ends an open mail transaction. */
    private static Commanding reset(Commanding state) {
        return switch (state) {
            case Connected connected -> connected;
            case Ready ready -> ready;
            case MailGiven given -> new Ready(given.hello());
            case RecipientsGiven given -> new Ready(given.hello());
            case BetweenChunks between -> {
                between.message().content().release();
                yield new Ready(between.hello());
            }
        };
    }

    private Turn mail(Commanding state, Command.Mail mail) {
        return switch (state) {
            case Connected connected -> new Turn(connected, Replies.HELLO_FIRST);
            case Ready ready -> mail(ready, mail);
            case MailGiven given -> new Turn(given, Replies.NESTED_MAIL);
            case RecipientsGiven given -> new Turn(given, Replies.NESTED_MAIL);
            case BetweenChunks between -> new Turn(between, Replies.CHUNKS_ONLY);
        };
    }

    private Turn mail(Ready ready, Command.Mail mail) {
        if (transactions >= policy.messagesMax()) {
            return new Turn(new Closed(true), Replies.TOO_MANY_MESSAGES);
        }
        MailParameters parameters = mail.parameters();
        if (parameters.declaredBytes() > policy.messageBytesMax()) {
            return new Turn(ready, Replies.tooLargeForAll(policy.messageBytesMax()));
        }
        boolean international = mail.reversePath() instanceof ReversePath.Sender sender
                && sender.mailbox().isInternational();
        if (international && !parameters.smtpUtf8()) {
            return new Turn(ready, Replies.INTERNATIONAL_SENDER);
        }
        if (!allowance.takeMessage()) {
            return new Turn(ready, Replies.TOO_MANY_MESSAGES_FROM_CLIENT);
        }
        transactions++;
        return new Turn(ready.mail(mail.reversePath(), parameters), Replies.SENDER_OK);
    }

    private Turn rcpt(Commanding state, ForwardPath forwardPath) {
        return switch (state) {
            case Connected connected -> new Turn(connected, Replies.HELLO_FIRST);
            case Ready ready -> new Turn(ready, Replies.MAIL_FIRST);
            case MailGiven given ->
                switch (accept(given.sender(), forwardPath)) {
                    case Acceptance.Yes yes -> new Turn(given.rcpt(yes.recipient()), Replies.RECIPIENT_OK);
                    case Acceptance.No no -> new Turn(given.rcptRefused(), no.reply());
                };
            case RecipientsGiven given -> furtherRcpt(given, forwardPath);
            case BetweenChunks between -> new Turn(between, Replies.CHUNKS_ONLY);
        };
    }

    private Turn furtherRcpt(RecipientsGiven given, ForwardPath forwardPath) {
        return switch (accept(given.sender(), forwardPath)) {
            case Acceptance.No no -> new Turn(given, no.reply());
            case Acceptance.Yes yes
            when given.has(yes.recipient().addressId()) -> new Turn(given, Replies.RECIPIENT_OK);
            case Acceptance.Yes yes
            when given.recipients().size() >= policy.recipientsMax() -> new Turn(given, Replies.TOO_MANY_RECIPIENTS);
            case Acceptance.Yes yes
            // Each kind has its own rules for content, so the client must send a separate mail for each.
            when given.recipients().getFirst().kind() != yes.recipient().kind() ->
                new Turn(given, Replies.TOO_MANY_RECIPIENTS);
            case Acceptance.Yes yes -> new Turn(given.rcpt(yes.recipient()), Replies.RECIPIENT_OK);
        };
    }

    private sealed interface Acceptance {
        record Yes(Recipient recipient) implements Acceptance {}

        record No(Reply reply) implements Acceptance {}
    }

    private Acceptance accept(Sender sender, ForwardPath forwardPath) {
        return switch (forwardPath) {
            case ForwardPath.Role role -> acceptRole(sender, new Mailbox(role.localPart(), policy.hostname()));
            case ForwardPath.To to -> accept(sender, to.mailbox());
        };
    }

    private Acceptance accept(Sender sender, Mailbox mailbox) {
        if (mailbox.isInternational() && !sender.parameters().smtpUtf8()) {
            return new Acceptance.No(Replies.INTERNATIONAL_RECIPIENT);
        }
        return switch (recipients.decide(mailbox, sender.reversePath())) {
            case Verdict.Refused refused ->
                switch (refused.refusal()) {
                    case OTHER_DOMAIN -> new Acceptance.No(Replies.OTHER_DOMAIN);
                    case NO_SUCH_ADDRESS ->
                        new Acceptance.No(
                                allowance.takeUnknownRecipient()
                                        ? Replies.NO_SUCH_ADDRESS
                                        : Replies.TOO_MANY_UNKNOWN_RECIPIENTS);
                    case POSTMASTER -> acceptRole(sender, mailbox);
                };
            case Verdict.Accepted(Recipient recipient)
            when recipient.used()
                    && !recipients.expectedRetries().expects(recipient.addressId(), sender.reversePath()) ->
                new Acceptance.No(Replies.ADDRESS_USED);
            case Verdict.Accepted(Recipient recipient) -> acceptSize(sender, recipient);
        };
    }

    private Acceptance acceptRole(Sender sender, Mailbox mailbox) {
        SmtpPolicy.Postmaster postmaster = policy.postmaster();
        if (postmaster == null) {
            return new Acceptance.No(Replies.noMailbox(mailbox.localPart()));
        }
        // Anyone can name the postmaster, as anyone can guess addresses: both share one limit for each network.
        return allowance.takeUnknownRecipient()
                ? acceptSize(sender, Recipient.postmaster(mailbox, postmaster.messageBytesMax()))
                : new Acceptance.No(Replies.TOO_MANY_MESSAGES_FROM_CLIENT);
    }

    private static Acceptance acceptSize(Sender sender, Recipient recipient) {
        return sender.parameters().declaredBytes() > recipient.messageBytesMax()
                ? new Acceptance.No(Replies.tooLargeForRecipient(recipient.messageBytesMax()))
                : new Acceptance.Yes(recipient);
    }

    private Turn data(Commanding state) {
        return switch (state) {
            case Connected connected -> new Turn(connected, Replies.HELLO_FIRST);
            case Ready ready -> new Turn(ready, Replies.MAIL_FIRST);
            case MailGiven given ->
                new Turn(given, given.recipientsRefused() ? Replies.NO_VALID_RECIPIENTS : Replies.RCPT_FIRST);
            case BetweenChunks between -> new Turn(between, Replies.CHUNKS_ONLY);
            case RecipientsGiven given
            when given.sender().parameters().binaryMime() -> new Turn(given, Replies.BINARY_NEEDS_CHUNKS);
            case RecipientsGiven given -> {
                ReceivingData receiving = given.data(begin(given));
                // Before its 354, a client that waits sends nothing that needs memory.
                yield receiving.message().content().begin()
                        ? new Turn(receiving, Replies.START_MAIL_INPUT)
                        : new Turn(new AwaitingMemory(receiving), null);
            }
        };
    }

    private Turn bdat(Commanding state, Command.Bdat chunk) {
        return switch (state) {
            case Connected connected -> skip(connected, chunk, Replies.HELLO_FIRST);
            case Ready ready -> skip(ready, chunk, Replies.MAIL_FIRST);
            case MailGiven given ->
                skip(given, chunk, given.recipientsRefused() ? Replies.NO_VALID_RECIPIENTS : Replies.RCPT_FIRST);
            case RecipientsGiven given -> new Turn(given.chunk(begin(given), chunk), null);
            case BetweenChunks between -> new Turn(between.chunk(chunk), null);
        };
    }

    private Turn skip(Commanding state, Command.Bdat chunk, Reply reply) {
        return chunk.chunkBytes() > policy.messageBytesMax() + policy.discardBytesMax()
                ? new Turn(new Closed(true), Replies.CONTENT_ENDLESS)
                : new Turn(new SkippingChunk(state, reply, chunk.chunkBytes()), null);
    }

    private Message begin(RecipientsGiven given) {
        Envelope envelope = new Envelope(given.sender().reversePath(), given.recipients());
        MailParameters parameters = given.sender().parameters();
        String transactionId = client.sessionId() + '.' + transactions;
        byte[] trace = TraceFields.of(
                policy.hostname(),
                client,
                given.hello(),
                tls,
                parameters.smtpUtf8(),
                envelope,
                transactionId,
                clock.instant());
        Content content = new Content(trace, messageBytesMax(envelope), parameters.declaredBytes(), policy, memory);
        Origin origin = new Origin(client, given.hello().name(), tls);
        observer.contentBegins(origin, envelope.reversePath());
        return new Message(transactionId, origin, envelope, content);
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
    Turn ended(Ready afterwards, Message message) {
        List<Recipient> given = message.envelope().recipients();
        Map<String, Reply> rejections = new HashMap<>();
        for (Recipient recipient : given) {
            rejection(recipient, message).ifPresent(reply -> rejections.put(recipient.addressId(), reply));
        }
        if (rejections.isEmpty()) {
            return new Turn(new Delivering(afterwards.hello(), message, message.received(clock.instant())), null);
        }
        message.content().release();
        if (rejections.size() < given.size()) {
            // One reply for all recipients. At the retry each gets its own at RCPT.
            rejections.keySet().forEach(recipients.expectedRetries()::forget);
            return new Turn(afterwards, Replies.NOT_STORED);
        }
        return new Turn(
                afterwards,
                rejections.containsValue(Replies.ADDRESS_USED) ? Replies.ADDRESS_USED : Replies.NO_SUCH_ADDRESS);
    }

    private Optional<Reply> rejection(Recipient recipient, Message message) {
        if (recipient.kind() == Recipient.Kind.POSTMASTER) {
            return Optional.empty();
        }
        return switch (recipients.decide(recipient.mailbox(), message.envelope().reversePath())) {
            case Verdict.Refused _ -> Optional.of(Replies.NO_SUCH_ADDRESS);
            case Verdict.Accepted(Recipient present)
            when present.used() && !recipients.expectedRetries().contain(present.addressId(), message.fingerprint()) ->
                Optional.of(Replies.ADDRESS_USED);
            case Verdict.Accepted _ -> Optional.empty();
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
