package dev.oneshot.ingest.net;

import io.netty.handler.codec.DecoderException;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.BiConsumer;

/** Waits for the PROXY header of a connection that must have one, then begins the session. */
final class ProxyPreamble {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final NetSocket socket;
    private final InetAddress peer;
    private final BiConsumer<InetAddress, Buffer> begin;
    private final BiConsumer<InetAddress, String> missing;
    private final ProxyHeader header = new ProxyHeader();

    /**
     * @param begin begins the session of a client, with the octets behind the header
     * @param missing reports a connection that is closed because it has no header, and why
     */
    ProxyPreamble(
            NetSocket socket,
            InetAddress peer,
            BiConsumer<InetAddress, Buffer> begin,
            BiConsumer<InetAddress, String> missing) {
        this.socket = socket;
        this.peer = peer;
        this.begin = begin;
        this.missing = missing;
    }

    void await(Vertx vertx) {
        long timer = vertx.setTimer(
                TIMEOUT.toMillis(), _ -> close("no complete header for " + TIMEOUT.toSeconds() + " seconds"));
        // A health check that only opens the port is not reported.
        socket.endHandler(_ -> vertx.cancelTimer(timer));
        socket.handler(buffer -> {
            try {
                byte[] rest = header.read(buffer.getBytes());
                if (rest != null) {
                    vertx.cancelTimer(timer);
                    InetAddress client = header.client();
                    begin.accept(client == null ? peer : client, Buffer.buffer(rest));
                }
            } catch (DecoderException e) {
                vertx.cancelTimer(timer);
                close("something else came");
            }
        });
    }

    private void close(String why) {
        socket.close();
        missing.accept(peer, why);
    }
}
