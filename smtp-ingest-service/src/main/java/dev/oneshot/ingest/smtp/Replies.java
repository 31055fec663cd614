package dev.oneshot.ingest.smtp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every reply of this server. */
public final class Replies {

    // Success.
    public static final Reply BYE = Reply.closing(221, "2.0.0", "Bye");
    public static final Reply OK = Reply.of(250, "2.0.0", "OK");
    public static final Reply SENDER_OK = Reply.of(250, "2.1.0", "Sender OK");
    public static final Reply RECIPIENT_OK = Reply.of(250, "2.1.5", "Recipient OK");
    public static final Reply CANNOT_VERIFY =
            Reply.of(252, "2.1.5", "Addresses are not verified; RCPT tells whether mail is taken");
    public static final Reply START_MAIL_INPUT = Reply.of(354, "", "End the data with <CR><LF>.<CR><LF>");
    public static final Reply READY_FOR_TLS = Reply.of(220, "2.0.0", "Ready to start TLS");

    // Unparseable commands.
    public static final Reply UNKNOWN_COMMAND = Reply.of(500, "5.5.1", "Command not recognized");
    public static final Reply NOT_A_WEB_SERVER = Reply.closing(554, "5.5.1", "This is an SMTP server");
    public static final Reply LINE_TOO_LONG = Reply.of(500, "5.5.2", "Line too long");
    public static final Reply LINE_ENDLESS = Reply.closing(421, "4.7.0", "Line far too long, closing");
    public static final Reply BARE_LINE_FEED = Reply.of(500, "5.5.2", "Lines end with <CR><LF>");
    public static final Reply CONTROL_CHARACTER = Reply.of(500, "5.5.2", "Control character in a command");
    public static final Reply NOT_UTF8 = Reply.of(500, "5.5.2", "Octets in a command that are not UTF-8");
    public static final Reply NOT_IMPLEMENTED = Reply.of(502, "5.5.1", "Command not implemented");

    // Commands with a bad argument.
    public static final Reply NO_ARGUMENT_ALLOWED = Reply.of(501, "5.5.4", "This command takes no argument");
    public static final Reply HELLO_SYNTAX = Reply.of(501, "5.5.4", "Give a domain or an address literal");
    public static final Reply MAIL_SYNTAX = Reply.of(501, "5.5.4", "Syntax: MAIL FROM:<address> [parameters]");
    public static final Reply RCPT_SYNTAX = Reply.of(501, "5.5.4", "Syntax: RCPT TO:<address> [parameters]");
    public static final Reply REVERSE_PATH_SYNTAX = Reply.of(501, "5.1.7", "Bad sender address syntax");
    public static final Reply FORWARD_PATH_SYNTAX = Reply.of(501, "5.1.3", "Bad recipient address syntax");
    public static final Reply PARAMETER_SYNTAX = Reply.of(501, "5.5.4", "Bad parameter syntax");
    // Without a length the end of the chunk is unknown, so its content could be taken for commands.
    public static final Reply BDAT_SYNTAX = Reply.closing(501, "5.5.4", "Syntax: BDAT octets [LAST]; closing");
    public static final Reply INTERNATIONAL_SENDER =
            Reply.of(550, "5.6.7", "Sender address is not ASCII: give SMTPUTF8 with MAIL");
    public static final Reply INTERNATIONAL_RECIPIENT =
            Reply.of(553, "5.6.7", "Recipient address is not ASCII: give SMTPUTF8 with MAIL");

    // Commands out of sequence.
    public static final Reply HELLO_FIRST = Reply.of(503, "5.5.1", "Say EHLO first");
    public static final Reply MAIL_FIRST = Reply.of(503, "5.5.1", "Say MAIL first");
    public static final Reply RCPT_FIRST = Reply.of(503, "5.5.1", "Say RCPT first");
    public static final Reply NESTED_MAIL = Reply.of(503, "5.5.1", "A mail transaction is open already");
    public static final Reply CHUNKS_ONLY = Reply.of(503, "5.5.1", "Chunks have begun: say BDAT or RSET");
    public static final Reply BINARY_NEEDS_CHUNKS = Reply.of(503, "5.5.1", "BINARYMIME goes with BDAT, not DATA");
    public static final Reply NO_VALID_RECIPIENTS = Reply.of(554, "5.5.1", "No valid recipients");
    public static final Reply TLS_NOT_OFFERED = Reply.of(502, "5.5.1", "TLS is not offered");
    public static final Reply TLS_ALREADY = Reply.of(503, "5.5.1", "TLS is active already");

    // Rejected recipients and content.
    public static final Reply OTHER_DOMAIN = Reply.of(550, "5.7.1", "Mail for this domain is not accepted here");
    public static final Reply NO_SUCH_ADDRESS = Reply.of(550, "5.1.1", "No such address here");
    public static final Reply ADDRESS_USED = Reply.of(550, "5.2.1", "This address has had its one mail");
    public static final Reply NO_FAILURE_NOTICE =
            Reply.of(550, "5.7.1", "This address takes delivery status notifications only");
    public static final Reply MAIL_LOOP = Reply.of(554, "5.4.6", "Too many Received fields, this mail is in a loop");
    public static final Reply NOT_RELAYABLE =
            Reply.of(554, "5.6.0", "Mail with NUL, or with CR or LF alone, cannot be relayed");
    public static final Reply HEADER_TOO_LARGE = Reply.of(554, "5.6.0", "Header section too large");
    public static final Reply CONTENT_LINE_TOO_LONG = Reply.of(554, "5.6.0", "Line too long in the content");
    public static final Reply CONTENT_ENDLESS =
            Reply.closing(421, "4.3.4", "Message far beyond the size allowed, closing");

    // A resource is short; the sender keeps the mail and retries.
    public static final Reply TOO_MANY_RECIPIENTS = Reply.of(452, "4.5.3", "Too many recipients");
    public static final Reply NO_MEMORY = Reply.of(452, "4.3.1", "Insufficient system storage, try again later");
    public static final Reply NOT_STORED = Reply.of(451, "4.3.0", "Message could not be stored, try again later");
    public static final Reply TOO_MANY_ERRORS = Reply.closing(421, "4.7.0", "Too many errors, closing");
    public static final Reply TOO_MANY_COMMANDS =
            Reply.closing(421, "4.7.0", "Too many commands without a message, closing");
    public static final Reply TOO_MANY_MESSAGES =
            Reply.closing(421, "4.7.0", "Enough messages for one connection, closing");
    public static final Reply TOO_MANY_CONNECTIONS =
            Reply.closing(421, "4.3.2", "Too many connections, try again later");
    public static final Reply TOO_MANY_FROM_CLIENT =
            Reply.closing(421, "4.7.0", "Too many connections from your network, try again later");
    public static final Reply TOO_MANY_MESSAGES_FROM_CLIENT =
            Reply.of(450, "4.7.1", "Too many messages from your network, try again later");
    public static final Reply TOO_MANY_UNKNOWN_RECIPIENTS =
            Reply.closing(421, "4.7.1", "Too many unknown recipients from your network, closing");
    public static final Reply IDLE = Reply.closing(421, "4.4.2", "Idle too long, closing");
    public static final Reply TOO_SLOW = Reply.closing(421, "4.4.2", "Data too slow, closing");
    public static final Reply STOPPING = Reply.closing(421, "4.3.2", "Service stopping, try again");

    private Replies() {}

    public static Reply greeting(String hostname) {
        return Reply.of(220, "", hostname + " ESMTP ready");
    }

    public static Reply helo(String hostname) {
        return Reply.of(250, "", hostname);
    }

    public static Reply ehlo(SmtpPolicy policy, boolean offerTls) {
        List<String> lines = new ArrayList<>();
        lines.add(policy.hostname());
        lines.add("PIPELINING");
        lines.add("SIZE " + policy.messageBytesMax());
        lines.add("8BITMIME");
        lines.add("SMTPUTF8");
        lines.add("CHUNKING");
        lines.add("BINARYMIME");
        lines.add("ENHANCEDSTATUSCODES");
        if (offerTls) {
            lines.add("STARTTLS");
        }
        lines.add("LIMITS MAILMAX=" + policy.messagesMax() + " RCPTMAX=" + policy.recipientsMax());
        lines.add("HELP");
        return new Reply(250, "", lines, false);
    }

    public static Reply help(boolean offerTls) {
        String commands = "EHLO HELO MAIL RCPT DATA BDAT RSET NOOP VRFY HELP" + (offerTls ? " STARTTLS" : "") + " QUIT";
        return new Reply(214, "2.0.0", List.of(commands, "See RFC 5321"), false);
    }

    /** For mail to {@code postmaster} or {@code abuse}, if the operator has named no mailbox. */
    public static Reply noMailbox(String localPart) {
        return Reply.of(550, "5.1.1", "There is no mailbox for " + localPart.toLowerCase(Locale.ROOT) + " here");
    }

    public static Reply unknownParameter(String verb) {
        return Reply.of(555, "5.5.4", verb + " parameter not recognized or not implemented");
    }

    public static Reply chunkReceived(long octets) {
        return Reply.of(250, "2.0.0", octets + " octets received");
    }

    public static Reply stored(String transactionId) {
        return Reply.of(250, "2.0.0", "Stored as " + transactionId);
    }

    /** At MAIL, at RCPT (RFC 1870 §6.1), or after the data. */
    public static Reply tooLarge(long messageBytesMax, boolean severalRecipients) {
        return tooLarge("Message", messageBytesMax, severalRecipients);
    }

    /** After the data; octets are those of the decoded attachment. */
    public static Reply attachmentTooLarge(long attachmentBytesMax, boolean severalRecipients) {
        return tooLarge("Attachment", attachmentBytesMax, severalRecipients);
    }

    private static Reply tooLarge(String what, long bytesMax, boolean severalRecipients) {
        String which = severalRecipients ? ", the smallest limit of its recipients" : "";
        return Reply.of(552, "5.3.4", what + " too large: at most " + bytesMax + " octets are taken" + which);
    }
}
