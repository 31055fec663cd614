package dev.oneshot.ingest.smtp;

import dev.oneshot.ingest.smtp.RecipientPolicy.Verdict;
import dev.oneshot.ingest.smtp.SessionState.AwaitingRoom;
import dev.oneshot.ingest.smtp.SessionState.BetweenChunks;
import dev.oneshot.ingest.smtp.SessionState.Closed;
import dev.oneshot.ingest.smtp.SessionState.Commanding;
import dev.oneshot.ingest.smtp.SessionState.Connected;
import dev.oneshot.ingest.smtp.SessionState.Delivering;
import dev.oneshot.ingest.smtp.SessionState.MailGiven;
import dev.oneshot.ingest.smtp.SessionState.Message;
import dev.oneshot.ingest.smtp.SessionState.Ready;
import dev.oneshot.ingest.smtp.SessionState.ReceivingData;
import dev.oneshot.ingest.smtp.SessionState.RecipientsGiven;
import dev.oneshot.ingest.smtp.SessionState.Sender;
import dev.oneshot.ingest.smtp.SessionState.SkippingChunk;
import dev.oneshot.ingest.smtp.SessionState.StartingTls;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers commands: a state and a command in, the next state and a reply out. */
final class Dialogue {

    private final SmtpPolicy policy;
    private final RecipientPolicy recipients;
    private final MemoryBudget memory;
    private final InstantSource clock;
    private final Client client;

    private @Nullable TlsFacts tls;
    private int transactions;

    Dialogue(SmtpPolicy policy, RecipientPolicy recipients, MemoryBudget memory, InstantSource clock, Client client) {
        this.policy = policy;
        this.recipients = recipients;
        this.memory = memory;
        this.clock = clock;
        this.client = client;
    }

    /**
     * What a command leads to.
     *
     * @param reply null if it comes later, after the octets of a chunk or when there is memory for a message
     */
    record Turn(SessionState next, @Nullable Reply reply) {}

    void secured(TlsFacts facts) {
        tls = facts;
    }

    Turn answer(Commanding state, Command command) {
        return switch (command) {
            case Command.Hello hello -> hello(state, new Hello(hello.extended(), hello.name()));
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

    private Turn hello(Commanding state, Hello hello) {
        reset(state);
        Reply reply = hello.extended() ? Replies.ehlo(policy, offersTls()) : Replies.helo(policy.hostname());
        return new Turn(new Connected().hello(hello), reply);
    }

    private boolean offersTls() {
        return client.tlsOffered() && tls == null;
    }

    /** Ends the mail transaction, if one is open. */
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
            case Acceptance.Yes yes -> new Turn(given.rcpt(yes.recipient()), Replies.RECIPIENT_OK);
        };
    }

    private sealed interface Acceptance {
        record Yes(Recipient recipient) implements Acceptance {}

        record No(Reply reply) implements Acceptance {}
    }

    private Acceptance accept(Sender sender, ForwardPath forwardPath) {
        return switch (forwardPath) {
            case ForwardPath.Postmaster _ -> new Acceptance.No(Replies.postmaster(policy.postmaster()));
            case ForwardPath.To to -> accept(sender, to.mailbox());
        };
    }

    private Acceptance accept(Sender sender, Mailbox mailbox) {
        MailParameters parameters = sender.parameters();
        if (mailbox.isInternational() && !parameters.smtpUtf8()) {
            return new Acceptance.No(Replies.INTERNATIONAL_RECIPIENT);
        }
        return switch (recipients.decide(mailbox)) {
            case Verdict.Refused refused ->
                new Acceptance.No(
                        switch (refused.refusal()) {
                            case OTHER_DOMAIN -> Replies.OTHER_DOMAIN;
                            case NO_SUCH_ADDRESS -> Replies.NO_SUCH_ADDRESS;
                            case POSTMASTER -> Replies.postmaster(policy.postmaster());
                        });
            case Verdict.Used used
            when !recipients.unheardMails().mayComeAgain(used.addressId(), sender.reversePath(), clock.instant()) ->
                new Acceptance.No(Replies.ADDRESS_USED);
            case Verdict.Used used ->
                accept(
                        parameters,
                        new Recipient(
                                used.addressId(), mailbox, used.messageBytesMax(), used.attachmentBytesMax(), true));
            case Verdict.Accepted accepted ->
                accept(
                        parameters,
                        new Recipient(
                                accepted.addressId(),
                                mailbox,
                                accepted.messageBytesMax(),
                                accepted.attachmentBytesMax(),
                                false));
        };
    }

    private static Acceptance accept(MailParameters parameters, Recipient recipient) {
        return parameters.declaredBytes() > recipient.messageBytesMax()
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
            when given.sender().parameters().body() == MailParameters.Body.BINARY_MIME ->
                new Turn(given, Replies.BINARY_NEEDS_CHUNKS);
            case RecipientsGiven given -> {
                ReceivingData receiving = given.data(begin(given));
                // A client that has to wait sends nothing meanwhile that would have to be kept.
                yield receiving.message().content().begin()
                        ? new Turn(receiving, Replies.START_MAIL_INPUT)
                        : new Turn(new AwaitingRoom(receiving), null);
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
        return new Message(transactionId, envelope, content);
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

    /** What a recipient is to a message that is there, all of it: much may have happened since RCPT. */
    private enum Standing {
        TAKES_IT,
        HAS_IT,
        HAS_ANOTHER,
        GONE
    }

    /** A message is there, all of it. */
    Turn ended(Ready afterwards, Message message) {
        Instant now = clock.instant();
        MailPrint print = message.print();
        Map<Standing, List<Recipient>> standing = message.envelope().recipients().stream()
                .collect(Collectors.groupingBy(recipient -> standing(recipient, print, now)));
        List<Recipient> taking = standing.getOrDefault(Standing.TAKES_IT, List.of());
        List<Recipient> used = standing.getOrDefault(Standing.HAS_ANOTHER, List.of());
        boolean refusing = !used.isEmpty() || standing.containsKey(Standing.GONE);
        if (!refusing && !taking.isEmpty()) {
            return new Turn(new Delivering(afterwards.hello(), message, message.received(taking, now)), null);
        }
        message.content().release();
        if (!refusing) {
            return new Turn(afterwards, Replies.stored(message.transactionId()));
        }
        if (taking.isEmpty()) {
            return new Turn(afterwards, used.isEmpty() ? Replies.NO_SUCH_ADDRESS : Replies.ADDRESS_USED);
        }
        // One reply has to do for all of them. When the sender comes again, each is answered for itself at RCPT.
        used.forEach(recipient -> recipients.unheardMails().forget(recipient.addressId()));
        return new Turn(afterwards, Replies.NOT_STORED);
    }

    private Standing standing(Recipient recipient, MailPrint print, Instant now) {
        if (!recipient.used()) {
            switch (recipients.decide(recipient.mailbox())) {
                case Verdict.Accepted _ -> {
                    return Standing.TAKES_IT;
                }
                case Verdict.Refused _ -> {
                    return Standing.GONE;
                }
                case Verdict.Used _ -> {}
            }
        }
        boolean stored = recipients.unheardMails().contain(recipient.addressId(), print, now);
        return stored ? Standing.HAS_IT : Standing.HAS_ANOTHER;
    }

    /** The sender of a message may not hear that it is there. */
    void unheard(Envelope envelope, MailPrint print) {
        for (Recipient recipient : envelope.recipients()) {
            recipients.unheardMails().remember(recipient.addressId(), print, clock.instant());
        }
    }

    /** The reply to a message that is not taken. */
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
