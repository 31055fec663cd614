package dev.oneshot.endtoend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A collector that receives spans by OTLP over HTTP, as {@code application/x-protobuf}. */
final class OtlpCollector implements AutoCloseable {

    /** What it requires of each request. */
    static final String KEY_FIELD = "x-collector-key";

    static final String KEY = "key-of-the-collector";

    private static final HexFormat HEX = HexFormat.of();

    private final List<Reported> spans = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** A span with the name of its service. */
    record Reported(String service, Span span) {

        String traceId() {
            return HEX.formatHex(span.getTraceId().toByteArray());
        }

        String id() {
            return HEX.formatHex(span.getSpanId().toByteArray());
        }

        /** Empty for the first span of a trace. */
        String parentId() {
            return HEX.formatHex(span.getParentSpanId().toByteArray());
        }

        /** As in {@code oneshot-api SPAN_KIND_SERVER POST /v1/addresses}. */
        String text() {
            return service + " " + span.getKind() + " " + span.getName();
        }

        /** The text of an attribute; empty if there is none. */
        String attribute(String name) {
            return OtlpCollector.text(span.getAttributesList(), name);
        }
    }

    OtlpCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Reported> spans() {
        return spans;
    }

    List<Reported> trace(String traceId) {
        return spans.stream().filter(span -> span.traceId().equals(traceId)).toList();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!KEY.equals(exchange.getRequestHeaders().getFirst(KEY_FIELD))) {
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            for (ResourceSpans resource : ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())
                    .getResourceSpansList()) {
                String service = text(resource.getResource().getAttributesList(), "service.name");
                resource.getScopeSpansList()
                        .forEach(scope -> scope.getSpansList().forEach(span -> spans.add(new Reported(service, span))));
            }
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static String text(List<KeyValue> attributes, String name) {
        return attributes.stream()
                .filter(attribute -> attribute.getKey().equals(name))
                .map(attribute -> attribute.getValue().hasIntValue()
                        ? Long.toString(attribute.getValue().getIntValue())
                        : attribute.getValue().getStringValue())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
