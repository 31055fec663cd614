package dev.oneshot.api.inbox;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/**
 * Content that is streamed to the client.
 *
 * @param contentType its type
 * @param contentBytes its length, known before the first byte is read
 * @param content opens it
 */
record Download(String contentType, int contentBytes, Supplier<InputStream> content) {

    private static final int PIECE_BYTES = 64 * 1024;

    /** A browser that displays a download must not run scripts of the mail's sender. */
    private static final String CONTENT_SECURITY_POLICY = "sandbox; default-src 'none'";

    /**
     * The response to GET or HEAD.
     *
     * @param isHead whether only the header is wanted
     */
    Response.ResponseBuilder response(boolean isHead) {
        Response.ResponseBuilder response = Response.ok()
                .header(HttpHeaders.CONTENT_TYPE, contentType)
                .header(HttpHeaders.CONTENT_LENGTH, contentBytes)
                .header("Cache-Control", "no-store")
                .header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                .header("X-Content-Type-Options", "nosniff");
        if (!isHead) {
            response.entity((StreamingOutput) output -> {
                try (Content stored = new Content(content.get())) {
                    copy(stored, output, contentBytes);
                }
            });
        }
        return response;
    }

    private static void copy(Content from, OutputStream out, int length) throws IOException {
        byte[] piece = new byte[Math.min(PIECE_BYTES, Math.max(1, length))];
        int left = length;
        while (left > 0) {
            int read = from.read(piece, Math.min(piece.length, left));
            out.write(piece, 0, read);
            left -= read;
        }
    }

    /** What is stored, which fails unchecked: an {@link IOException} is the failure of the client's connection. */
    private record Content(InputStream in) implements AutoCloseable {

        int read(byte[] piece, int octetsMax) {
            int read;
            try {
                read = in.read(piece, 0, octetsMax);
            } catch (IOException e) {
                throw unreadable(e);
            }
            if (read < 0) {
                throw new IllegalStateException("the content ends before its length says");
            }
            return read;
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw unreadable(e);
            }
        }

        private static UncheckedIOException unreadable(IOException e) {
            return new UncheckedIOException("stored content is not readable", e);
        }
    }
}
