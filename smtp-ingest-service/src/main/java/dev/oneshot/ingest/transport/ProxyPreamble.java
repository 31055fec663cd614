package dev.oneshot.ingest.transport;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Waits for the PROXY header of a connection that must have one, then hands the connection on. */
final class ProxyPreamble {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final NetSocket socket;
    private final InetAddress peer;
    private final Begin begin;
    private final Buffer octets = Buffer.buffer();

    /** Goes on with the connection. */
    interface Begin {
        void session(InetAddress client, Buffer rest);
    }

    ProxyPreamble(NetSocket socket, InetAddress peer, Begin begin) {
        this.socket = socket;
        this.peer = peer;
        this.begin = begin;
    }

    void await(Vertx vertx) {
        long timer = vertx.setTimer(TIMEOUT.toMillis(), _ -> socket.close());
        socket.handler(buffer -> {
            octets.appendBuffer(buffer);
            switch (ProxyHeader.read(ByteBuffer.wrap(octets.getBytes()))) {
                case ProxyHeader.Reading.Incomplete _ -> {}
                case ProxyHeader.Reading.Malformed _ -> {
                    vertx.cancelTimer(timer);
                    socket.close();
                }
                case ProxyHeader.Reading.Client client -> {
                    vertx.cancelTimer(timer);
                    begin.session(client.address(), rest(client.headerBytes()));
                }
                case ProxyHeader.Reading.Unnamed unnamed -> {
                    vertx.cancelTimer(timer);
                    begin.session(peer, rest(unnamed.headerBytes()));
                }
            }
        });
    }

    private Buffer rest(int headerBytes) {
        return octets.getBuffer(headerBytes, octets.length());
    }
}
