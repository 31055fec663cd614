package dev.oneshot.api.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers what Netty's decoder could make nothing of, after all that came before it is answered, and ends the connection, as
 * nobody knows where the next request would begin. Vert.x would answer with nothing in it, or not at all. Runs on the
 * connection's event loop.
 */
final class MalformedHttp extends ChannelDuplexHandler {

    /** Closing at once would reset a client that is still sending, before it has read the answer. */
    private static final long CLOSE_SECONDS = 2;

    private final Function<Throwable, FullHttpResponse> answers;

    /** Requests whose answers are not written to their ends, the malformed one among them if it has begun. */
    private int unanswered;

    private boolean isAnswering;
    private boolean hasBegun;
    private @Nullable Throwable malformation;
    private boolean isOver;

    MalformedHttp(Function<Throwable, FullHttpResponse> answers) {
        this.answers = answers;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (malformation != null) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpObject http && http.decoderResult().isFailure()) {
            malformation = http.decoderResult().cause();
            hasBegun = !(message instanceof HttpRequest);
            ReferenceCountUtil.release(message);
            answerIfItsTurn(context);
            return;
        }
        if (message instanceof HttpRequest) {
            unanswered++;
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (isOver) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        boolean isInterim = message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (message instanceof LastHttpContent && !isInterim) {
            isAnswering = false;
            unanswered--;
            var _ = context.write(message, promise.unvoid().addListener(written -> answerIfItsTurn(context)));
        } else {
            isAnswering |= message instanceof HttpResponse && !isInterim;
            var _ = context.write(message, promise);
        }
    }

    private void answerIfItsTurn(ChannelHandlerContext context) {
        if (malformation == null || isOver || isAnswering || unanswered > (hasBegun ? 1 : 0)) {
            return;
        }
        isOver = true;
        if (hasBegun && unanswered == 0) {
            // It was answered before it came to the part that is malformed.
            var _ = context.close();
            return;
        }
        var _ = context.writeAndFlush(answers.apply(malformation)).addListener(written -> end(context));
    }

    private static void end(ChannelHandlerContext context) {
        if (context.channel() instanceof SocketChannel socket && socket.isActive()) {
            var _ = socket.shutdownOutput();
            Runnable close = () -> {
                var _ = context.close();
            };
            var _ = context.executor().schedule(close, CLOSE_SECONDS, TimeUnit.SECONDS);
        } else {
            var _ = context.close();
        }
    }
}
