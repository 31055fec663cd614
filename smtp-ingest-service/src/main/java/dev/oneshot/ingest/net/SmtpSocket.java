package dev.oneshot.ingest.net;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetSocketInternal;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;

/** One client's socket on its event loop, with features of Netty that Vert.x does not offer. */
final class SmtpSocket {

    /** How many bytes of replies may wait for the client before reading pauses. */
    private static final int REPLIES_BYTES_MAX = 16 * 1024;

    /** The most bytes that are read at once. No budget counts bytes that cannot be handled yet. */
    static final int READ_BYTES_MAX = 16 * 1024;

    private static final RecvByteBufAllocator READS = new AdaptiveRecvByteBufAllocator(64, 2048, READ_BYTES_MAX);

    private final NetSocketInternal socket;
    private final Context eventLoop;
    private final SmtpTls tls;

    SmtpSocket(NetSocket socket, Context eventLoop, SmtpTls tls) {
        this.socket = (NetSocketInternal) socket;
        this.eventLoop = eventLoop;
        this.tls = tls;
    }

    /** Limits one read, which Netty lets grow to 64 KiB. To be called before anything is read. */
    static void limitReads(NetSocket socket) {
        config((NetSocketInternal) socket).setRecvByteBufAllocator(READS);
    }

    /**
     * Sets the handlers.
     *
     * @param drained called when the client has read the replies that waited
     */
    void watch(Handler<Buffer> read, Runnable drained) {
        socket.handler(read);
        socket.setWriteQueueMaxSize(REPLIES_BYTES_MAX);
        socket.drainHandler(_ -> drained.run());
    }

    /** Stops reading; Vert.x would continue to read and buffer up to a mebibyte. */
    void pause() {
        socket.pause();
        config(socket).setAutoRead(false);
    }

    void resume() {
        // Before the bytes below are passed on, as they may lead to the next pause.
        config(socket).setAutoRead(true);
        socket.resume();
    }

    /** Whether replies wait that the client does not read. */
    boolean isFull() {
        return socket.writeQueueFull();
    }

    void write(byte[] octets) {
        socket.write(Buffer.buffer(octets));
    }

    /**
     * Begins the handshake. If it fails, closes the socket.
     *
     * @param secured called when it is complete, before the first bytes that were encrypted are read
     */
    void secure(Consumer<SSLSession> secured) {
        SslHandler handler = tls.handler();
        socket.channelHandlerContext().pipeline().addFirst(handler);
        handler.handshakeFuture().addListener(handshake -> {
            if (handshake.isSuccess()) {
                secured.accept(handler.engine().getSession());
            } else {
                socket.close();
            }
        });
    }

    /** Runs an action after the current one. */
    void later(Runnable action) {
        eventLoop.runOnContext(_ -> action.run());
    }

    /** Closes the socket when all replies are written. */
    void end() {
        socket.end();
    }

    void close() {
        socket.close();
    }

    private static ChannelConfig config(NetSocketInternal socket) {
        return socket.channelHandlerContext().channel().config();
    }
}
