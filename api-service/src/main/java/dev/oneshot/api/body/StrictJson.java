package dev.oneshot.api.body;

import static jakarta.ws.rs.core.HttpHeaders.CONTENT_ENCODING;
import static jakarta.ws.rs.core.HttpHeaders.CONTENT_LENGTH;
import static jakarta.ws.rs.core.HttpHeaders.CONTENT_TYPE;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.UTF8StreamJsonParser;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MutableCoercionConfig;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.api.request.RequestCheck;
import dev.oneshot.api.request.RequestState;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.security.DigestInputStream;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads request bodies strictly: an encoding other than UTF-8 (RFC 8259 §8.1), malformed UTF-8, a value of another JSON type, a
 * duplicate key, an unpaired surrogate, trailing garbage and nesting deeper than {@value #NESTING_MAX} are rejected with 400; unknown
 * members are ignored, {@code null} means absent, and an empty body is {@code {}}. A byte order mark in UTF-8 is ignored.
 */
@Provider
@Consumes(MediaType.WILDCARD)
@ApplicationScoped
public class StrictJson implements MessageBodyReader<Record> {

    /** The deepest nesting of arrays and objects, the outermost counted. */
    public static final int NESTING_MAX = 50;

    /**
     * Bounds the cost of a body with many tiny members. A request to send with a hundred attachments has under a thousand.
     */
    private static final int TOKENS_MAX = 20_000;

    private static final String NOT_JSON = "the body is not valid JSON";

    /** Jackson's message for a repeated member. A long or unusual name is not repeated to the client. */
    private static final Pattern GIVEN_TWICE = Pattern.compile("Duplicate field '(\\w{1,64})'");

    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    /** Jackson keeps buffers by thread. Each request has a virtual thread of its own, so they would never be reused. */
    private static final int BUFFERS_KEPT = 64;

    private final RoutingContext request;
    private final BodyMemory memory;
    private final JsonMapper mapper;

    StrictJson(RoutingContext request, BodyMemory memory, BodyConfig config) {
        this.request = request;
        this.memory = memory;
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNestingDepth(NESTING_MAX)
                .maxStringLength(
                        (int) Math.min(Integer.MAX_VALUE, config.bodyMax().asLongValue()))
                .maxTokenCount(TOKENS_MAX)
                .build();
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(constraints)
                .recyclerPool(JsonRecyclerPools.newBoundedPool(BUFFERS_KEPT))
                .build();
        this.mapper = JsonMapper.builder(factory)
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                // Closing a body reads it to its end, even if the request has been rejected.
                .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .withCoercionConfigDefaults(StrictJson::refuseAll)
                .addModule(new SimpleModule().addDeserializer(String.class, new PairedSurrogates.Strings()))
                .addHandler(new PairedSurrogates.UnknownMembers())
                .build();
    }

    void filters(@Observes Filters filters) {
        RequestCheck.CONTENT_TYPE.register(filters, StrictJson::nameJson);
    }

    /** JAX-RS knows neither blanks before a parameter nor empty parameters (RFC 9110 §5.6.6). No parameter of JSON has a meaning. */
    private static void nameJson(RoutingContext request) {
        HttpServerRequest http = request.request();
        if (http.method().equals(HttpMethod.POST) && RequestBounds.declaredBytes(http) > 0) {
            requireJson(http);
        }
        if (isJson(http)) {
            http.headers().set(CONTENT_TYPE, MediaType.APPLICATION_JSON);
        }
        request.next();
    }

    private static boolean isJson(HttpServerRequest request) {
        List<String> types = request.headers().getAll(CONTENT_TYPE);
        return types.size() == 1
                && types.getFirst().split(";", 2)[0].strip().equalsIgnoreCase(MediaType.APPLICATION_JSON);
    }

    private static void refuseAll(MutableCoercionConfig coercions) {
        for (CoercionInputShape shape : CoercionInputShape.values()) {
            coercions.setCoercion(shape, CoercionAction.Fail);
        }
    }

    /** All bodies of resources are records. */
    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type.isRecord();
    }

    /** Reads the body of a resource, within the limits of {@link BodyMemory}. */
    @Override
    public Record readFrom(
            Class<Record> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body)
            throws IOException {
        return read(request, memory.reserving(body, headers.getFirst(CONTENT_LENGTH)), type);
    }

    /** Accepts JSON, with any parameters, without a content coding. */
    private static void requireJson(HttpServerRequest request) {
        String contentEncoding = request.getHeader(CONTENT_ENCODING);
        if (contentEncoding != null && !contentEncoding.strip().equalsIgnoreCase("identity")) {
            throw ApiException.of(Kind.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding must not be given");
        }
        if (!isJson(request)) {
            throw ApiException.of(Kind.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json");
        }
    }

    /**
     * Reads one JSON object, or an empty body, which needs no Content-Type.
     *
     * @param body of this request; read to its end, not closed
     * @throws ApiException 415 if the body is not JSON by its type, or has a content coding; 400, naming the member that is wrong
     * @throws IOException if the body could not be received
     */
    public <T> T read(RoutingContext context, InputStream body, Class<T> type) throws IOException {
        DigestInputStream digested = new DigestInputStream(body, BodyDigest.sha256());
        digested.on(context.request().headers().contains("Idempotency-Key"));
        PushbackInputStream peeked = new PushbackInputStream(digested);
        int first = peeked.read();
        InputStream json = new ByteArrayInputStream(EMPTY_OBJECT);
        if (first >= 0) {
            requireJson(context.request());
            peeked.unread(first);
            json = peeked;
        }
        T value = parse(mapper.reader(), type, new StrictUtf8(json));
        RequestState.of(context).bodyRead(digested.getMessageDigest().digest());
        return value;
    }

    private static <T> T parse(ObjectReader reader, Class<T> type, InputStream body) throws IOException {
        try (JsonParser parser = reader.createParser(body)) {
            // Jackson reads UTF-16 and UTF-32 with another parser.
            if (!(parser instanceof UTF8StreamJsonParser)) {
                throw ApiException.invalid("the body must be JSON in UTF-8");
            }
            @Nullable T value = reader.readValue(parser, type);
            if (value == null) {
                throw ApiException.invalid("the body must be one JSON object");
            }
            return value;
        } catch (StreamConstraintsException e) {
            throw ApiException.invalid(constraint(e));
        } catch (UnreadableValueException e) {
            throw ApiException.invalid(path(e) + " " + e.getOriginalMessage());
        } catch (MismatchedInputException e) {
            throw ApiException.invalid(mismatch(e));
        } catch (JsonMappingException e) {
            throw unwrapped(e);
        } catch (JsonProcessingException e) {
            throw notJson("", e);
        } catch (CharConversionException e) {
            // The byte order is unknown. This IOException does not come from the connection.
            throw ApiException.invalid(NOT_JSON);
        }
    }

    /** The error for what Jackson's parser rejects; a repeated member is reported like a repeated query parameter. */
    private static ApiException notJson(String parent, JsonProcessingException e) {
        Matcher twice = GIVEN_TWICE.matcher(String.valueOf(e.getOriginalMessage()));
        if (!twice.lookingAt()) {
            return ApiException.invalid(NOT_JSON);
        }
        String path = parent.isEmpty() ? twice.group(1) : parent + "." + twice.group(1);
        return ApiException.invalid(path + " must be given once");
    }

    private static ApiException unwrapped(JsonMappingException e) throws IOException {
        return switch (e.getCause()) {
            case ApiException refused -> refused;
            case InputCoercionException _ -> ApiException.invalid(path(e) + " must be an integer of at most 64 bits");
            case JsonProcessingException parsing -> notJson(path(e), parsing);
            case IOException connection -> throw connection;
            case null, default -> ApiException.invalid(NOT_JSON);
        };
    }

    private static String constraint(StreamConstraintsException e) {
        String message = e.getOriginalMessage();
        if (message.contains("nesting depth")) {
            return "the body must not be nested deeper than " + NESTING_MAX;
        }
        return "the body exceeds a limit: too many members, or a name or number too long";
    }

    private static String mismatch(MismatchedInputException e) {
        String path = path(e);
        if (path.isEmpty()) {
            return e.getTargetType() == null || e.getTargetType().isRecord()
                    ? "the body must be one JSON object"
                    : NOT_JSON;
        }
        return path + " must be " + kind(e.getTargetType());
    }

    private static String path(JsonMappingException e) {
        String path = e.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                .collect(Collectors.joining());
        return path.isEmpty() ? path : path.substring(1);
    }

    /** The JSON type of a member, for the types that bodies have. */
    private static String kind(@Nullable Class<?> type) {
        if (type == Long.class) {
            return "an integer";
        }
        if (type == String.class) {
            return "a string";
        }
        return type != null && Collection.class.isAssignableFrom(type) ? "an array" : "an object";
    }

    /** A body without members: an object, or empty. Unknown members are ignored. */
    public record EmptyObject() {}
}
