package dev.oneshot.ingest.smtp.command;

import dev.oneshot.ingest.smtp.Replies;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Collects octets up to a line feed, at most as many as the longest command has. Further octets of a line are counted
 * and discarded.
 */
public final class CommandLine {

    // A command line with its CRLF, unless an extension allows more (RFC 5321 §4.5.3.1.4).
    private static final int BYTES_MAX = 512;
    // SIZE +26 (RFC 1870 §3), 8BITMIME +17 (RFC 6152 §2), SMTPUTF8 +10 (RFC 6531 §3.1), DSN: ENVID=, RET= (RFC 3461).
    private static final int MAIL_BYTES_MAX = BYTES_MAX + 26 + 17 + 10 + 107 + 9;
    // SMTPUTF8 +10 (RFC 6531 §3.1), DSN: NOTIFY=, ORCPT= (RFC 3461 §4). No command has a longer line.
    private static final int RCPT_BYTES_MAX = BYTES_MAX + 10 + 29 + 507;

    /** A line longer than this counts as complete. */
    static final int ENDLESS_BYTES = 64 * 1024;

    private static final String CHUNK = "BDAT";

    private final byte[] octets = new byte[RCPT_BYTES_MAX];
    private int length;
    private boolean chunk;

    /** Reads octets up to and including a line feed; true if the line is complete. */
    public boolean read(ByteBuffer input) {
        while (input.hasRemaining()) {
            byte octet = input.get();
            if (length < octets.length) {
                octets[length] = octet;
            }
            length++;
            if (octet == '\n') {
                return true;
            }
            if (length > ENDLESS_BYTES) {
                return false;
            }
        }
        return false;
    }

    /** The longest line of a command, with its CRLF. */
    static int bytesMax(String verb) {
        return switch (verb) {
            case "MAIL" -> MAIL_BYTES_MAX;
            case "RCPT" -> RCPT_BYTES_MAX;
            default -> BYTES_MAX;
        };
    }

    public boolean isEndless() {
        return length > ENDLESS_BYTES;
    }

    /**
     * Returns the line without its CRLF, and begins the next.
     *
     * @throws CommandSyntaxException if it is too long for any command or does not end with CRLF
     */
    public byte[] take() throws CommandSyntaxException {
        int lineLength = length;
        length = 0;
        chunk = lineLength > CHUNK.length() && isChunk();
        if (lineLength > octets.length) {
            throw new CommandSyntaxException(Replies.LINE_TOO_LONG);
        }
        if (lineLength < 2 || octets[lineLength - 2] != '\r') {
            throw new CommandSyntaxException(Replies.BARE_LINE_FEED);
        }
        return Arrays.copyOf(octets, lineLength - 2);
    }

    /** Whether the last line announced a chunk: content follows it, even if the line was not valid. */
    public boolean announcedChunk() {
        return chunk;
    }

    private boolean isChunk() {
        return new String(octets, 0, CHUNK.length(), StandardCharsets.US_ASCII).equalsIgnoreCase(CHUNK)
                && octets[CHUNK.length()] <= ' ';
    }
}
