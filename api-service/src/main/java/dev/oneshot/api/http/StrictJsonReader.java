package dev.oneshot.api.http;

import static jakarta.ws.rs.core.HttpHeaders.CONTENT_ENCODING;
import static jakarta.ws.rs.core.HttpHeaders.CONTENT_LENGTH;
import static jakarta.ws.rs.core.HttpHeaders.CONTENT_TYPE;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The bodies of resources, which are records, read as {@link StrictJson} and within the cap. */
@Provider
@Consumes(MediaType.WILDCARD)
class StrictJsonReader implements MessageBodyReader<Record> {

    private final RoutingContext request;
    private final StrictJson json;
    private final BodyMemory memory;
    private final long bodyBytesMax;

    StrictJsonReader(RoutingContext request, StrictJson json, BodyMemory memory, HttpConfig config) {
        this.request = request;
        this.json = json;
        this.memory = memory;
        this.bodyBytesMax = config.bodyMax().asLongValue();
    }

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type.isRecord();
    }

    @Override
    public Record readFrom(
            Class<Record> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body)
            throws IOException {
        @Nullable String contentLength = headers.getFirst(CONTENT_LENGTH);
        InputStream bounded = memory.reserving(
                new CappedInputStream(body, bodyBytesMax), bytesMax(contentLength), contentLength != null);
        PushbackInputStream capped = new PushbackInputStream(BodyDigest.taken(request, bounded));
        int first = capped.read();
        if (first >= 0) {
            JsonContent.require(headers.getFirst(CONTENT_TYPE), headers.getFirst(CONTENT_ENCODING));
            capped.unread(first);
        }
        return json.read(capped, type);
    }

    private long bytesMax(@Nullable String contentLength) {
        return contentLength == null ? bodyBytesMax : Math.min(bodyBytesMax, Long.parseLong(contentLength));
    }
}
