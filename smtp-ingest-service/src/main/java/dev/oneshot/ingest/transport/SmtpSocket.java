package dev.oneshot.ingest.transport;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetSocketInternal;
import java.time.Duration;
import javax.net.ssl.SSLSession;

/** One client's socket on its event loop, with what Netty can and Vert.x does not offer. */
final class SmtpSocket {

    /** How many octets of replies may wait for the client before it is read no more. */
    private static final int REPLIES_BYTES_MAX = 16 * 1024;

    /**
     * How many octets are read at once. What of them cannot be handled yet, as a delivery or the client has to be waited
     * for, is in no budget.
     */
    static final int READ_BYTES_MAX = 16 * 1024;

    private static final RecvByteBufAllocator READS = new AdaptiveRecvByteBufAllocator(64, 2048, READ_BYTES_MAX);

    private final NetSocketInternal socket;
    private final Context eventLoop;

    SmtpSocket(NetSocket socket, Context eventLoop) {
        this.socket = (NetSocketInternal) socket;
        this.eventLoop = eventLoop;
    }

    /** Bounds what is read at once, where Netty goes up to 64 KiB. To be called before anything is read. */
    static void readLittle(NetSocket socket) {
        config((NetSocketInternal) socket).setRecvByteBufAllocator(READS);
    }

    /**
     * Hands over what is read.
     *
     * @param drained told when replies, of which there were too many, have been taken
     * @param inputEnded told when the client has shut down the side it sends on, while octets that came before may
     *     still wait to be read; the socket stays open. To be called before that can be read.
     */
    void watch(Handler<Buffer> read, Runnable drained, Runnable inputEnded) {
        socket.handler(read);
        socket.setWriteQueueMaxSize(REPLIES_BYTES_MAX);
        socket.drainHandler(_ -> drained.run());
        config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        socket.eventHandler(event -> {
            if (event instanceof ChannelInputShutdownEvent) {
                inputEnded.run();
            }
        });
    }

    /** Reads nothing any more, where Vert.x would read on and collect up to a mebibyte. */
    void pause() {
        socket.pause();
        config().setAutoRead(false);
    }

    void resume() {
        // First, as what is handed over now may lead to the next pause.
        config().setAutoRead(true);
        socket.resume();
    }

    /** Whether there are replies that the client does not take. */
    boolean isFull() {
        return socket.writeQueueFull();
    }

    void write(byte[] octets) {
        socket.write(Buffer.buffer(octets));
    }

    boolean isSecured() {
        return socket.isSsl();
    }

    void secure(Handler<AsyncResult<Void>> handshaken) {
        socket.upgradeToSsl().onComplete(handshaken);
    }

    SSLSession tls() {
        return socket.sslSession();
    }

    /** Runs something after what is being done now. */
    void later(Runnable action) {
        eventLoop.runOnContext(_ -> action.run());
    }

    /** Closes it once everything has been written. */
    void end() {
        socket.end();
    }

    void close() {
        socket.close();
    }

    void closeAfter(Duration pause) {
        eventLoop.owner().setTimer(pause.toMillis(), _ -> socket.close());
    }

    private ChannelConfig config() {
        return config(socket);
    }

    private static ChannelConfig config(NetSocketInternal socket) {
        return socket.channelHandlerContext().channel().config();
    }
}
