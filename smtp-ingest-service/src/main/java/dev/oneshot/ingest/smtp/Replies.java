package dev.oneshot.ingest.smtp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every reply this server gives. */
final class Replies {

    // What went well.
    static final Reply BYE = Reply.closing(221, "2.0.0", "Bye");
    static final Reply OK = Reply.of(250, "2.0.0", "OK");
    static final Reply SENDER_OK = Reply.of(250, "2.1.0", "Sender OK");
    static final Reply RECIPIENT_OK = Reply.of(250, "2.1.5", "Recipient OK");
    static final Reply CANNOT_VERIFY =
            Reply.of(252, "2.1.5", "Addresses are not verified; RCPT tells whether mail is taken");
    static final Reply START_MAIL_INPUT = Reply.of(354, "", "End the data with <CR><LF>.<CR><LF>");
    static final Reply READY_FOR_TLS = Reply.of(220, "2.0.0", "Ready to start TLS");

    // What is no command.
    static final Reply UNKNOWN_COMMAND = Reply.of(500, "5.5.1", "Command not recognized");
    static final Reply NOT_A_WEB_SERVER = Reply.closing(554, "5.5.1", "This is an SMTP server");
    static final Reply LINE_TOO_LONG = Reply.of(500, "5.5.2", "Line too long");
    static final Reply LINE_ENDLESS = Reply.closing(421, "4.7.0", "Line far too long, closing");
    static final Reply BARE_LINE_FEED = Reply.of(500, "5.5.2", "Lines end with <CR><LF>");
    static final Reply CONTROL_CHARACTER = Reply.of(500, "5.5.2", "Control character in a command");
    static final Reply NOT_UTF8 = Reply.of(500, "5.5.2", "Octets in a command that are not UTF-8");
    static final Reply NOT_IMPLEMENTED = Reply.of(502, "5.5.1", "Command not implemented");

    // What is a command with the wrong words behind it.
    static final Reply NO_ARGUMENT_ALLOWED = Reply.of(501, "5.5.4", "This command takes no argument");
    static final Reply ARGUMENT_MISSING = Reply.of(501, "5.5.4", "Argument missing");
    static final Reply HELLO_SYNTAX = Reply.of(501, "5.5.4", "Give a domain or an address literal");
    static final Reply MAIL_SYNTAX = Reply.of(501, "5.5.4", "Syntax: MAIL FROM:<address> [parameters]");
    static final Reply RCPT_SYNTAX = Reply.of(501, "5.5.4", "Syntax: RCPT TO:<address> [parameters]");
    static final Reply REVERSE_PATH_SYNTAX = Reply.of(501, "5.1.7", "Bad sender address syntax");
    static final Reply FORWARD_PATH_SYNTAX = Reply.of(501, "5.1.3", "Bad recipient address syntax");
    static final Reply PARAMETER_SYNTAX = Reply.of(501, "5.5.4", "Bad parameter syntax");
    // Without a length nobody knows where the chunk ends, so its content could be taken for commands.
    static final Reply BDAT_SYNTAX = Reply.closing(501, "5.5.4", "Syntax: BDAT octets [LAST]; closing");
    static final Reply INTERNATIONAL_SENDER =
            Reply.of(550, "5.6.7", "Sender address is not ASCII: give SMTPUTF8 with MAIL");
    static final Reply INTERNATIONAL_RECIPIENT =
            Reply.of(553, "5.6.7", "Recipient address is not ASCII: give SMTPUTF8 with MAIL");

    // What is a command in the wrong place.
    static final Reply HELLO_FIRST = Reply.of(503, "5.5.1", "Say EHLO first");
    static final Reply MAIL_FIRST = Reply.of(503, "5.5.1", "Say MAIL first");
    static final Reply RCPT_FIRST = Reply.of(503, "5.5.1", "Say RCPT first");
    static final Reply NESTED_MAIL = Reply.of(503, "5.5.1", "A mail transaction is open already");
    static final Reply CHUNKS_ONLY = Reply.of(503, "5.5.1", "Chunks have begun: say BDAT or RSET");
    static final Reply BINARY_NEEDS_CHUNKS = Reply.of(503, "5.5.1", "BINARYMIME goes with BDAT, not DATA");
    static final Reply NO_VALID_RECIPIENTS = Reply.of(554, "5.5.1", "No valid recipients");
    static final Reply TLS_NOT_OFFERED = Reply.of(502, "5.5.1", "TLS is not offered");
    static final Reply TLS_ALREADY = Reply.of(503, "5.5.1", "TLS is active already");

    // Who is not served.
    static final Reply OTHER_DOMAIN = Reply.of(550, "5.7.1", "Mail for this domain is not taken here");
    static final Reply NO_SUCH_ADDRESS = Reply.of(550, "5.1.1", "No such address here");
    static final Reply ADDRESS_USED = Reply.of(550, "5.2.1", "This address has had its one mail");
    static final Reply HEADER_TOO_LARGE = Reply.of(554, "5.6.0", "Header section too large");
    static final Reply CONTENT_LINE_TOO_LONG = Reply.of(554, "5.6.0", "Line too long in the content");
    static final Reply CONTENT_ENDLESS = Reply.closing(421, "4.3.4", "Message far beyond the size allowed, closing");

    // What we are short of; the sender keeps the mail and comes again.
    static final Reply TOO_MANY_RECIPIENTS = Reply.of(452, "4.5.3", "Too many recipients");
    static final Reply NO_MEMORY = Reply.of(452, "4.3.1", "Insufficient system storage, try again later");
    static final Reply NOT_STORED = Reply.of(451, "4.3.0", "Message could not be stored, try again later");
    static final Reply TOO_MANY_ERRORS = Reply.closing(421, "4.7.0", "Too many errors, closing");
    static final Reply TOO_MANY_COMMANDS = Reply.closing(421, "4.7.0", "Too many commands without a message, closing");
    static final Reply TOO_MANY_MESSAGES = Reply.closing(421, "4.7.0", "Enough messages for one connection, closing");
    static final Reply TOO_MANY_CONNECTIONS = Reply.closing(421, "4.3.2", "Too many connections, try again later");
    static final Reply TOO_MANY_FROM_CLIENT =
            Reply.closing(421, "4.7.0", "Too many connections from your address, try again later");
    static final Reply IDLE = Reply.closing(421, "4.4.2", "Idle too long, closing");
    static final Reply TOO_SLOW = Reply.closing(421, "4.4.2", "Data too slow, closing");
    static final Reply STOPPING = Reply.closing(421, "4.3.2", "Service stopping, try again");

    private Replies() {}

    static Reply greeting(String hostname) {
        return Reply.of(220, "", hostname + " ESMTP ready");
    }

    static Reply helo(String hostname) {
        return Reply.of(250, "", hostname);
    }

    static Reply ehlo(SmtpPolicy policy, boolean offerTls) {
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

    static Reply help(boolean offerTls) {
        String commands = "EHLO HELO MAIL RCPT DATA BDAT RSET NOOP VRFY HELP" + (offerTls ? " STARTTLS" : "") + " QUIT";
        return new Reply(214, "2.0.0", List.of(commands, "See RFC 5321"), false);
    }

    /** To mail for our postmaster, which is read elsewhere (RFC 5321 §3.4) or nowhere. */
    static Reply postmaster(@Nullable Mailbox elsewhere) {
        return elsewhere == null
                ? Reply.of(550, "5.1.1", "Nobody reads the mail of postmaster here")
                : Reply.of(551, "5.1.6", "User not local; please try <" + elsewhere + ">");
    }

    static Reply unknownParameter(String verb) {
        return Reply.of(555, "5.5.4", verb + " parameter not recognized or not implemented");
    }

    static Reply chunkReceived(long octets) {
        return Reply.of(250, "2.0.0", octets + " octets received");
    }

    static Reply stored(String transactionId) {
        return Reply.of(250, "2.0.0", "Stored as " + transactionId);
    }

    /** At MAIL: no recipient of ours takes that much (RFC 1870 §6.1). */
    static Reply tooLargeForAll(long messageBytesMax) {
        return Reply.of(552, "5.3.4", "Message too large: at most " + messageBytesMax + " octets are taken");
    }

    /** At RCPT: this recipient does not take what was declared with MAIL. */
    static Reply tooLargeForRecipient(long messageBytesMax) {
        return Reply.of(552, "5.3.4", "Message too large: this recipient takes at most " + messageBytesMax + " octets");
    }

    /** After the data. */
    static Reply tooLarge(long messageBytesMax, boolean severalRecipients) {
        return tooLarge("Message", messageBytesMax, severalRecipients);
    }

    /** After the data; octets are those of the decoded attachment. */
    static Reply attachmentTooLarge(long attachmentBytesMax, boolean severalRecipients) {
        return tooLarge("Attachment", attachmentBytesMax, severalRecipients);
    }

    private static Reply tooLarge(String what, long bytesMax, boolean severalRecipients) {
        String which = severalRecipients ? ", the smallest limit of its recipients" : "";
        return Reply.of(552, "5.3.4", what + " too large: at most " + bytesMax + " octets are taken" + which);
    }
}
