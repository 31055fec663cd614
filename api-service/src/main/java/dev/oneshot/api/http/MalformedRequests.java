package dev.oneshot.api.http;

import dev.oneshot.api.error.ApiError;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;

/** The answers to what is no HTTP, of which there is no request that could go by the edge. */
@ApplicationScoped
@Unremovable
class MalformedRequests {

    private final HttpConfig config;
    private final ErrorAnswers answers;
    private final Refusals refusals;

    MalformedRequests(HttpConfig config, ErrorAnswers answers, Refusals refusals) {
        this.config = config;
        this.answers = answers;
        this.refusals = refusals;
    }

    /** A whole answer, after which the connection ends. */
    FullHttpResponse answer(Throwable cause) {
        ApiError error = error(cause);
        refusals.count(error);
        FullHttpResponse answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(error.status()),
                Unpooled.copiedBuffer(answers.envelope(error), StandardCharsets.UTF_8));
        answer.headers()
                .set("Content-Type", "application/json")
                .set("Content-Length", answer.content().readableBytes())
                .set("Connection", "close")
                .set(RequestId.HEADER, RequestId.generate());
        return answer;
    }

    private ApiError error(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException _ -> ApiError.uriTooLong(config.targetMax());
            case TooLongHttpHeaderException _ ->
                ApiError.headerTooLarge(config.headerMax().asLongValue());
            default -> ApiError.invalid("the request is malformed: it is not HTTP/1.1");
        };
    }
}
