package dev.oneshot.ingest.smtp.command;

import dev.oneshot.ingest.smtp.ForwardPath;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.Reply;
import dev.oneshot.ingest.smtp.ReversePath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses a command line (RFC 5321 §4.1). */
public final class CommandParser {

    // The line begins an HTTP request (SSRF), whose body must not be taken for commands.
    private static final Set<String> HTTP_METHODS =
            Set.of("GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "CONNECT", "PATCH", "TRACE");
    private static final Pattern CHUNK = Pattern.compile("([0-9]{1,18})(?:[ \t]+((?i:LAST)))?");
    private static final String ROLE = "(" + ForwardPath.POSTMASTER + "|" + ForwardPath.ABUSE + ")";
    private static final Pattern ROLE_PATH =
            Pattern.compile("<" + ROLE + ">|" + ROLE + "(?![^ \t])", Pattern.CASE_INSENSITIVE);
    private static final Pattern NULL_PATH = Pattern.compile("<[ \t]*+>");
    private static final Pattern GREETING = Pattern.compile("(?i:EHLO|HELO)[ \t]");
    private static final Pattern WORD = Pattern.compile("[^ \t]+");
    private static final Pattern NOT_OF_A_NAME =
            Pattern.compile("[^" + Mailbox.LETTERS_AND_DIGITS + "._%:\\[\\]-]|[\\p{Cc}\\p{Z}\uFFFD]");

    private CommandParser() {}

    /**
     * Parses a command.
     *
     * @param line the line in octets, without its CRLF
     * @throws CommandSyntaxException with the reply, if it cannot be parsed
     */
    public static Command parse(byte[] line) throws CommandSyntaxException {
        String text = decode(line).stripTrailing();
        int verbEnd = 0;
        while (verbEnd < text.length() && text.charAt(verbEnd) > ' ') {
            verbEnd++;
        }
        String verb = text.substring(0, verbEnd).toUpperCase(Locale.ROOT);
        if (line.length + 2 > CommandLine.bytesMax(verb)) {
            throw new CommandSyntaxException(Replies.LINE_TOO_LONG);
        }
        String argument = text.substring(verbEnd).trim();
        return switch (verb) {
            case "EHLO" -> new Command.Hello(true, clientName(argument));
            case "HELO" -> new Command.Hello(false, clientName(argument));
            case "MAIL" -> mail(argument);
            case "RCPT" -> rcpt(argument);
            case "BDAT" -> bdat(argument);
            case "DATA" -> withoutArgument(argument, new Command.Data());
            case "RSET" -> withoutArgument(argument, new Command.Rset());
            case "QUIT" -> new Command.Quit();
            case "STARTTLS" -> withoutArgument(argument, new Command.StartTls());
            case "NOOP" -> new Command.Noop();
            case "HELP" -> new Command.Help();
            case "VRFY" -> new Command.Vrfy();
            case "EXPN", "SEND", "SOML", "SAML", "TURN", "ETRN", "ATRN", "AUTH", "BURL" ->
                throw new CommandSyntaxException(Replies.NOT_IMPLEMENTED);
            default ->
                throw new CommandSyntaxException(
                        HTTP_METHODS.contains(verb) ? Replies.NOT_A_WEB_SERVER : Replies.UNKNOWN_COMMAND);
        };
    }

    /** The text of a line. In EHLO and HELO, a name of any charset is accepted, as office computers have such names. */
    private static String decode(byte[] line) throws CommandSyntaxException {
        for (byte octet : line) {
            if ((octet >= 0 && octet < ' ' && octet != '\t') || octet == 0x7F) {
                throw new CommandSyntaxException(Replies.CONTROL_CHARACTER);
            }
        }
        String text = new String(line, StandardCharsets.UTF_8);
        // Octets that are not UTF-8 become a replacement character, which has other octets.
        if (text.indexOf('\uFFFD') >= 0
                && !GREETING.matcher(text).lookingAt()
                && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), line)) {
            throw new CommandSyntaxException(Replies.NOT_UTF8);
        }
        return text;
    }

    /**
     * Any word is accepted, as the name decides nothing. Characters that no name has are replaced, as the name is written into
     * header fields.
     */
    private static String clientName(String name) throws CommandSyntaxException {
        if (!WORD.matcher(name).matches()) {
            throw new CommandSyntaxException(Replies.HELLO_SYNTAX);
        }
        return NOT_OF_A_NAME.matcher(name).replaceAll("_");
    }

    private static Command mail(String argument) throws CommandSyntaxException {
        String text = after("FROM:", argument, Replies.MAIL_SYNTAX);
        Matcher none = NULL_PATH.matcher(text);
        if (none.lookingAt()) {
            return ParameterParser.mail(new ReversePath.Null(), text.substring(none.end()));
        }
        Grammar.Path path =
                Grammar.reversePath(text).orElseThrow(() -> new CommandSyntaxException(Replies.REVERSE_PATH_SYNTAX));
        ReversePath reversePath = path.domain().isEmpty()
                ? new ReversePath.Local(path.localPart())
                : new ReversePath.Sender(path.mailbox());
        return ParameterParser.mail(reversePath, text.substring(path.end()));
    }

    private static Command rcpt(String argument) throws CommandSyntaxException {
        String text = after("TO:", argument, Replies.RCPT_SYNTAX);
        Matcher role = ROLE_PATH.matcher(text);
        if (role.lookingAt()) {
            ParameterParser.requireRcpt(text.substring(role.end()));
            String localPart = role.group(1) == null ? role.group(2) : role.group(1);
            return new Command.Rcpt(new ForwardPath.Role(localPart.toLowerCase(Locale.ROOT)));
        }
        Grammar.Path path =
                Grammar.path(text).orElseThrow(() -> new CommandSyntaxException(Replies.FORWARD_PATH_SYNTAX));
        ParameterParser.requireRcpt(text.substring(path.end()));
        return new Command.Rcpt(new ForwardPath.To(path.mailbox()));
    }

    private static String after(String prefix, String argument, Reply otherwise) throws CommandSyntaxException {
        if (!argument.regionMatches(true, 0, prefix, 0, prefix.length())) {
            throw new CommandSyntaxException(otherwise);
        }
        return argument.substring(prefix.length()).trim();
    }

    private static Command bdat(String argument) throws CommandSyntaxException {
        Matcher chunk = CHUNK.matcher(argument);
        if (!chunk.matches()) {
            throw new CommandSyntaxException(Replies.BDAT_SYNTAX);
        }
        return new Command.Bdat(Long.parseLong(chunk.group(1)), chunk.group(2) != null);
    }

    private static Command withoutArgument(String argument, Command command) throws CommandSyntaxException {
        if (!argument.isEmpty()) {
            throw new CommandSyntaxException(Replies.NO_ARGUMENT_ALLOWED);
        }
        return command;
    }
}
