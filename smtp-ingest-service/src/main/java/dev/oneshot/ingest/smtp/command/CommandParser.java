package dev.oneshot.ingest.smtp.command;

import dev.oneshot.ingest.smtp.ForwardPath;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.ReversePath;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Parses a command line (RFC 5321 §4.1). */
public final class CommandParser {

    // An HTTP client was made to connect here (SSRF): its body must not act as commands.
    private static final Set<String> HTTP_METHODS =
            Set.of("GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "CONNECT", "PATCH", "TRACE");
    private static final Pattern CHUNK_BYTES = Pattern.compile("[0-9]{1,18}");

    private CommandParser() {}

    /**
     * Parses a command.
     *
     * @param line the line in octets, without its CRLF
     * @throws CommandSyntaxException with the reply, if it cannot be parsed
     */
    public static Command parse(byte[] line) throws CommandSyntaxException {
        String text = decode(line);
        Grammar grammar = new Grammar(text.stripTrailing());
        String verb = grammar.word().toUpperCase(Locale.ROOT);
        if (line.length + 2 > CommandLine.bytesMax(verb)) {
            throw new CommandSyntaxException(Replies.LINE_TOO_LONG);
        }
        grammar.blanks();
        return switch (verb) {
            case "EHLO" -> new Command.Hello(true, clientName(grammar));
            case "HELO" -> new Command.Hello(false, clientName(grammar));
            case "MAIL" -> mail(grammar);
            case "RCPT" -> rcpt(grammar);
            case "BDAT" -> bdat(grammar);
            case "DATA" -> withoutArgument(grammar, new Command.Data());
            case "RSET" -> withoutArgument(grammar, new Command.Rset());
            case "QUIT" -> withoutArgument(grammar, new Command.Quit());
            case "STARTTLS" -> withoutArgument(grammar, new Command.StartTls());
            case "NOOP" -> new Command.Noop();
            case "HELP" -> new Command.Help();
            case "VRFY" -> vrfy(grammar);
            case "EXPN", "SEND", "SOML", "SAML", "TURN", "ETRN", "ATRN", "AUTH", "BURL" ->
                throw new CommandSyntaxException(Replies.NOT_IMPLEMENTED);
            default ->
                throw new CommandSyntaxException(
                        HTTP_METHODS.contains(verb) ? Replies.NOT_A_WEB_SERVER : Replies.UNKNOWN_COMMAND);
        };
    }

    private static String decode(byte[] line) throws CommandSyntaxException {
        for (byte octet : line) {
            if ((octet >= 0 && octet < ' ' && octet != '\t') || octet == 0x7F) {
                throw new CommandSyntaxException(Replies.CONTROL_CHARACTER);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CommandSyntaxException(Replies.NOT_UTF8);
        }
    }

    private static String clientName(Grammar grammar) throws CommandSyntaxException {
        String name = grammar.rest();
        Grammar reading = new Grammar(name);
        boolean literal = reading.addressLiteral() != null && reading.atEnd();
        if (!literal && !isName(name) && !Grammar.isIpv6(name)) {
            throw new CommandSyntaxException(Replies.HELLO_SYNTAX);
        }
        return name;
    }

    /** A domain, or a client's variant of it: with the root's dot at its end, or a bare IPv4 address. */
    private static boolean isName(String name) {
        Grammar reading = new Grammar(name.endsWith(".") ? name.substring(0, name.length() - 1) : name);
        return reading.domain() != null && reading.atEnd();
    }

    private static Command mail(Grammar grammar) throws CommandSyntaxException {
        if (!grammar.literal("FROM:")) {
            throw new CommandSyntaxException(Replies.MAIL_SYNTAX);
        }
        grammar.blanks();
        ReversePath reversePath;
        if (grammar.nullPath()) {
            reversePath = new ReversePath.Null();
        } else {
            Mailbox mailbox = grammar.path();
            if (mailbox == null) {
                throw new CommandSyntaxException(Replies.REVERSE_PATH_SYNTAX);
            }
            reversePath = new ReversePath.Sender(mailbox);
        }
        return new Command.Mail(reversePath, ParameterParser.mail(grammar));
    }

    private static Command rcpt(Grammar grammar) throws CommandSyntaxException {
        if (!grammar.literal("TO:")) {
            throw new CommandSyntaxException(Replies.RCPT_SYNTAX);
        }
        grammar.blanks();
        ForwardPath forwardPath = grammar.rolePath();
        if (forwardPath == null) {
            Mailbox mailbox = grammar.path();
            if (mailbox == null) {
                throw new CommandSyntaxException(Replies.FORWARD_PATH_SYNTAX);
            }
            forwardPath = new ForwardPath.To(mailbox);
        }
        ParameterParser.requireRcpt(grammar);
        return new Command.Rcpt(forwardPath);
    }

    private static Command bdat(Grammar grammar) throws CommandSyntaxException {
        String size = grammar.word();
        grammar.blanks();
        boolean last = grammar.literal("LAST");
        if (!CHUNK_BYTES.matcher(size).matches() || !grammar.atEnd()) {
            throw new CommandSyntaxException(Replies.BDAT_SYNTAX);
        }
        return new Command.Bdat(Long.parseLong(size), last);
    }

    private static Command vrfy(Grammar grammar) throws CommandSyntaxException {
        if (grammar.atEnd()) {
            throw new CommandSyntaxException(Replies.ARGUMENT_MISSING);
        }
        return new Command.Vrfy();
    }

    private static Command withoutArgument(Grammar grammar, Command command) throws CommandSyntaxException {
        if (!grammar.atEnd()) {
            throw new CommandSyntaxException(Replies.NO_ARGUMENT_ALLOWED);
        }
        return command;
    }
}
