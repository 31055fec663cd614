package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When what is no HTTP is answered, among the requests around it. What the answers say is seen on the packaged service. */
class MalformedHttpTest {

    private static final String WHOLE = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String CHUNKED = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String MALFORMED_CHUNK = "x\r\n";

    private final List<String> begun = new ArrayList<>();
    private final EmbeddedChannel connection = new EmbeddedChannel(
            new HttpRequestDecoder(),
            new HttpResponseEncoder(),
            new MalformedHttp(cause -> whole(HttpResponseStatus.BAD_REQUEST)),
            new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    if (message instanceof HttpRequest request) {
                        begun.add(request.uri());
                    }
                    ReferenceCountUtil.release(message);
                }
            });

    @ParameterizedTest
    @ValueSource(strings = {"GET\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/x\r\n\r\n"})
    void whatIsNoRequestIsAnsweredAndNobodyElseSeesIt(String octets) {
        receive(octets + WHOLE);

        assertThat(sent()).startsWith("HTTP/1.1 400 ").containsOnlyOnce("HTTP/1.1");
        assertThat(begun).isEmpty();
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void requestsBeforeItAreAnsweredFirst() {
        receive(WHOLE + WHOLE + "GET\r\n\r\n");
        assertThat(sent()).isEmpty();

        var _ = answer(whole(HttpResponseStatus.OK));
        assertThat(sent()).startsWith("HTTP/1.1 200 ");

        var _ = answer(whole(HttpResponseStatus.CONTINUE));
        assertThat(sent()).startsWith("HTTP/1.1 100 ").containsOnlyOnce("HTTP/1.1");

        var _ = answer(whole(HttpResponseStatus.NOT_FOUND));
        assertThat(sent()).startsWith("HTTP/1.1 404 ").contains("HTTP/1.1 400 ");
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void requestWithABrokenBodyHasNoOtherAnswer() {
        receive(WHOLE + CHUNKED + "2\r\n{}\r\n");
        receive(MALFORMED_CHUNK);
        assertThat(sent()).isEmpty();

        var _ = answer(whole(HttpResponseStatus.OK));
        assertThat(sent()).startsWith("HTTP/1.1 200 ").contains("HTTP/1.1 400 ");

        assertThat(answer(whole(HttpResponseStatus.CREATED)).isSuccess()).isFalse();
        assertThat(sent()).isEmpty();
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void answerThatHasBegunIsTheOnlyOne() {
        receive(CHUNKED);
        var _ = connection.writeAndFlush(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.UNAUTHORIZED));
        receive(MALFORMED_CHUNK);
        assertThat(connection.isOpen()).isTrue();

        var _ = connection.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);

        assertThat(sent()).startsWith("HTTP/1.1 401 ").containsOnlyOnce("HTTP/1.1");
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void whatWasAnsweredBeforeItBrokeIsNotAnsweredAgain() {
        receive(CHUNKED);
        var _ = answer(whole(HttpResponseStatus.UNAUTHORIZED));
        receive(MALFORMED_CHUNK);

        assertThat(sent()).startsWith("HTTP/1.1 401 ").containsOnlyOnce("HTTP/1.1");
        assertThat(connection.isOpen()).isFalse();
    }

    private void receive(String octets) {
        connection.writeInbound(Unpooled.copiedBuffer(octets, StandardCharsets.US_ASCII));
    }

    private ChannelFuture answer(FullHttpResponse response) {
        return connection.writeAndFlush(response);
    }

    private static FullHttpResponse whole(HttpResponseStatus status) {
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().set("Content-Length", 0);
        return response;
    }

    /** What went out since this was last asked. */
    private String sent() {
        StringBuilder octets = new StringBuilder();
        for (ByteBuf piece = connection.readOutbound(); piece != null; piece = connection.readOutbound()) {
            octets.append(piece.toString(StandardCharsets.US_ASCII));
            piece.release();
        }
        return octets.toString();
    }
}
