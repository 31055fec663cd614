package dev.oneshot.api.inbox;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Content that is streamed, whole or a range of it.
 *
 * @param contentType its type
 * @param contentBytes its length, known before a single octet is read
 * @param content opens it from its first octet on
 */
record Download(String contentType, int contentBytes, Supplier<InputStream> content) {

    private static final int PIECE_BYTES = 64 * 1024;

    /**
     * The answer to a request for it.
     *
     * @param head whether only the headers are wanted
     * @param range the header Range, if there is one
     * @param ifRange the header If-Range; as we give no validators it can only fail, and then the whole is sent
     */
    Response.ResponseBuilder answer(boolean head, @Nullable String range, @Nullable String ifRange) {
        Optional<ByteRange> part =
                range == null || ifRange != null ? Optional.empty() : ByteRange.parse(range, contentBytes);
        ByteRange sent = part.orElse(new ByteRange(0, contentBytes));
        Response.ResponseBuilder response = Response.status(part.isPresent() ? 206 : 200)
                .header(HttpHeaders.CONTENT_TYPE, contentType)
                .header(HttpHeaders.CONTENT_LENGTH, sent.length())
                .header("Accept-Ranges", "bytes");
        part.ifPresent(present -> response.header("Content-Range", present.contentRange(contentBytes)));
        if (!head) {
            response.entity((StreamingOutput) output -> {
                try (Content stored = new Content(content.get())) {
                    stored.skip(sent.offset());
                    copy(stored, output, sent.length());
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

        void skip(int octets) {
            try {
                in.skipNBytes(octets);
            } catch (IOException e) {
                throw unreadable(e);
            }
        }

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
