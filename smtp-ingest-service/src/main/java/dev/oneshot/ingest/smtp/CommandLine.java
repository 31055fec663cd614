package dev.oneshot.ingest.smtp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects octets up to a line feed, at most as many as the longest command has. Whatever a line is longer is counted
 * and thrown away.
 */
final class CommandLine {

    /** Beyond this the line is not waited for any longer. */
    static final int ENDLESS_BYTES = 64 * 1024;

    private static final byte[] CHUNK = {'B', 'D', 'A', 'T'};

    private final byte[] octets = new byte[SmtpPolicy.ANY_LINE_BYTES_MAX];
    private int length;
    private boolean chunk;

    /** Takes octets up to and including a line feed; true if the line is complete. */
    boolean read(ByteBuffer input) {
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

    boolean isEndless() {
        return length > ENDLESS_BYTES;
    }

    /**
     * The line without its CRLF; the next one begins.
     *
     * @throws CommandSyntaxException if it is too long for any command or does not end with CRLF
     */
    byte[] take() throws CommandSyntaxException {
        int lineLength = length;
        length = 0;
        chunk = lineLength > CHUNK.length && isChunk();
        if (lineLength > octets.length) {
            throw new CommandSyntaxException(Replies.LINE_TOO_LONG);
        }
        if (lineLength < 2 || octets[lineLength - 2] != '\r') {
            throw new CommandSyntaxException(Replies.BARE_LINE_FEED);
        }
        return Arrays.copyOf(octets, lineLength - 2);
    }

    /** Whether the line taken last announced a chunk: what follows it is content, also when the line was no command. */
    boolean announcedChunk() {
        return chunk;
    }

    private boolean isChunk() {
        for (int i = 0; i < CHUNK.length; i++) {
            if ((octets[i] & ~0x20) != CHUNK[i]) {
                return false;
            }
        }
        return octets[CHUNK.length] <= ' ';
    }
}
