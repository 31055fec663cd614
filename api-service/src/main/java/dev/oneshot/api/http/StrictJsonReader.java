package dev.oneshot.api.http;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** The bodies of resources, which are records, read as {@link StrictJson} and within the cap. */
@Provider
@Consumes(MediaType.WILDCARD)
class StrictJsonReader implements MessageBodyReader<Record> {

    private final RoutingContext request;
    private final StrictJson json;
    private final long bodyBytesMax;

    StrictJsonReader(RoutingContext request, StrictJson json, HttpConfig config) {
        this.request = request;
        this.json = json;
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
        PushbackInputStream capped =
                new PushbackInputStream(BodyDigest.taken(request, new CappedInputStream(body, bodyBytesMax)));
        int first = capped.read();
        if (first >= 0) {
            JsonContent.require(headers.getFirst(HttpHeaders.CONTENT_TYPE));
            capped.unread(first);
        }
        return json.read(capped, type);
    }
}
