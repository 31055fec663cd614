package dev.oneshot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.client.MisbehavingServer.Request;
import dev.oneshot.client.MisbehavingServer.Then;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Streams of raw mail and of attachments. */
@NullMarked
@Execution(ExecutionMode.CONCURRENT)
class DownloadTest {

    @RegisterExtension
    final MisbehavingServer server = new MisbehavingServer();

    private final OneshotClient client = server.client();

    @Test
    void aDownloadIsNotBoundedByMemory() throws IOException {
        server.then(200, "x".repeat(1_000_000));

        try (InputStream raw = client.getRawEmail("abc")) {
            assertThat(raw.read()).isEqualTo('x');
            assertThat(raw.readAllBytes()).hasSize(999_999);
            assertThat(raw.read()).isEqualTo(-1);
        }
        assertThat(server.requests()).extracting(Request::path).containsExactly("/v1/addresses/abc/email/raw");
    }

    @Test
    void aDownloadThatBreaksOffFails() throws IOException {
        server.thenRaw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nFrom:", Then.CLOSE);

        try (InputStream raw = client.getRawEmail("abc")) {
            assertThatThrownBy(raw::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aDownloadThatStallsFails() throws IOException {
        server.thenRaw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nFrom:", Then.STALL);

        try (InputStream raw = client.getAttachment("abc", 3)) {
            assertThat(raw.readNBytes(5)).isEqualTo("From:".getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(raw::read).isInstanceOf(IOException.class).hasMessageContaining("does not arrive");
        }
        assertThat(server.requests())
                .extracting(Request::path)
                .containsExactly("/v1/addresses/abc/email/attachments/3");
    }

    @Test
    void aClosedDownloadIsNotReadOn() throws IOException {
        server.thenRaw("HTTP/1.1 200 OK\r\n\r\n", Then.REPEAT_FOR_EVER);
        InputStream raw = client.getRawEmail("abc");
        assertThat(raw.read()).isEqualTo('x');

        raw.close();

        assertThatThrownBy(raw::read).isInstanceOf(IOException.class).hasMessage("the stream is closed");
    }

    @Test
    void anAttachmentMayBeAPageOfHtml() throws IOException {
        server.then(200, "<html>", "Content-Type: text/html");

        try (InputStream attachment = client.getAttachment("abc", 0)) {
            assertThat(attachment.readAllBytes()).hasSize(6);
        }
    }

    @Test
    void anAttachmentBeforeTheFirstIsNotRequested() {
        assertThatThrownBy(() -> client.getAttachment("abc", -1)).isInstanceOf(IllegalArgumentException.class);

        assertThat(server.requests()).isEmpty();
    }
}
