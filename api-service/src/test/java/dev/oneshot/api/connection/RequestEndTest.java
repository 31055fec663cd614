package dev.oneshot.api.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestEndTest {

    private final CompletableFuture<Void> firstBegun = new CompletableFuture<>();
    private final CompletableFuture<Void> secondEnded = new CompletableFuture<>();

    /** Quarkus counts a request as open until its response is ended, or its connection closed. */
    @Test
    void requestThatBeginsAfterItsConnectionIsClosedEnds() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            HttpServer server = vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1"))
                    .requestHandler(this::handle)
                    .listen(0)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(1, TimeUnit.MINUTES);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
                client.getOutputStream()
                        .write("GET /first HTTP/1.1\r\n\r\nGET /second HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
                firstBegun.get(1, TimeUnit.MINUTES);
            }

            assertThat(secondEnded).succeedsWithin(10, TimeUnit.SECONDS);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
        }
    }

    private void handle(HttpServerRequest request) {
        if ("/first".equals(request.path())) {
            // Its work goes on when the client is gone, and the second request waits for its end.
            request.connection().closeHandler(closed -> request.response().end());
            firstBegun.complete(null);
        } else {
            request.response().endHandler(ended -> secondEnded.complete(null));
            RequestEnd.abandon(request);
        }
    }
}
