package dev.oneshot.api.http;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Empties attributes of spans that have a client's text, which may be an address or a key. The route ({@code http.route}) says
 * which request it was.
 */
@Singleton
final class ClientTexts implements SpanProcessor {

    private static final List<AttributeKey<String>> KEYS = List.of(
            AttributeKey.stringKey("url.path"),
            AttributeKey.stringKey("url.query"),
            AttributeKey.stringKey("server.address"),
            AttributeKey.stringKey("user_agent.original"),
            AttributeKey.stringKey("http.request.method_original"));

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        for (AttributeKey<String> key : KEYS) {
            if (span.getKind() == SpanKind.SERVER && span.getAttribute(key) != null) {
                span.setAttribute(key, "");
            }
        }
    }

    @Override
    public boolean isStartRequired() {
        return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
        return false;
    }
}
