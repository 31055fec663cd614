package dev.oneshot.api.json;

import static jakarta.ws.rs.core.HttpHeaders.CONTENT_ENCODING;
import static jakarta.ws.rs.core.HttpHeaders.CONTENT_LENGTH;
import static jakarta.ws.rs.core.HttpHeaders.CONTENT_TYPE;

import dev.oneshot.api.http.BodyDigest;
import dev.oneshot.api.http.BodyMemory;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Reads the bodies of resources, which are records, by {@link StrictJson} and within the limits of {@link BodyMemory}. */
@Provider
@Consumes(MediaType.WILDCARD)
class StrictJsonReader implements MessageBodyReader<Record> {

    private final RoutingContext request;
    private final StrictJson json;
    private final BodyMemory memory;

    StrictJsonReader(RoutingContext request, StrictJson json, BodyMemory memory) {
        this.request = request;
        this.json = json;
        this.memory = memory;
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
        InputStream bounded = memory.reserving(body, headers.getFirst(CONTENT_LENGTH));
        return json.read(
                BodyDigest.taken(request, bounded),
                type,
                headers.getFirst(CONTENT_TYPE),
                headers.getFirst(CONTENT_ENCODING));
    }
}
