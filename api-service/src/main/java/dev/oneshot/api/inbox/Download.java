package dev.oneshot.api.inbox;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
                try (InputStream in = content.get()) {
                    in.skipNBytes(sent.offset());
                    copy(in, output, sent.length());
                }
            });
        }
        return response;
    }

    private static void copy(InputStream in, OutputStream out, int length) throws IOException {
        byte[] piece = new byte[Math.min(PIECE_BYTES, Math.max(1, length))];
        int left = length;
        while (left > 0) {
            int read = in.read(piece, 0, Math.min(piece.length, left));
            if (read < 0) {
                throw new IOException("the content ends before its length says");
            }
            out.write(piece, 0, read);
            left -= read;
        }
    }
}
