package dev.oneshot.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the client, one a line. The SDK ends at a line that is no message, so such a line gets an error here. The SDK
 * ignores cancellations too, so this class gives them to {@link Calls}; the end of the input cancels all calls.
 */
final class MessageInput extends InputStream {

    /** In {@code _meta} of a call of a tool. The SDK does not show the id of the request to a tool. */
    static final String REQUEST_ID = "dev.oneshot/request-id";

    /** Longer lines are no messages. */
    static final int LINE_BYTES_MAX = 4 * 1024 * 1024;

    private static final int PARSE_ERROR = -32700;

    private final BufferedInputStream in;
    private final MessageOutput out;
    private final McpJsonMapper json;
    private final Calls calls;
    private byte[] line = {};
    private int at;

    MessageInput(InputStream in, MessageOutput out, McpJsonMapper json, Calls calls) {
        this.in = new BufferedInputStream(in);
        this.out = out;
        this.json = json;
        this.calls = calls;
    }

    @Override
    public int read() throws IOException {
        return fill() ? line[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        } else if (!fill()) {
            return -1;
        }
        int count = Math.min(length, line.length - at);
        System.arraycopy(line, at, bytes, offset, count);
        at += count;
        return count;
    }

    /** Returns false at the end of the input. */
    private boolean fill() throws IOException {
        while (at == line.length) {
            ByteArrayOutputStream next = nextLine();
            if (next == null) {
                calls.cancelAll();
                return false;
            }
            line = message(next);
            at = 0;
        }
        return true;
    }

    /** The next line without its end, cut where it is too long; null if there is none. */
    private @Nullable ByteArrayOutputStream nextLine() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int b = in.read();
        if (b < 0) {
            return null;
        }
        while (b >= 0 && b != '\n') {
            if (bytes.size() <= LINE_BYTES_MAX) {
                bytes.write(b);
            }
            b = in.read();
        }
        return bytes;
    }

    /** The line for the SDK; empty if there is none. */
    private byte[] message(ByteArrayOutputStream bytes) throws IOException {
        String text = bytes.toString(StandardCharsets.UTF_8);
        if (text.isBlank()) {
            return new byte[0];
        }
        Map<String, Object> message = bytes.size() > LINE_BYTES_MAX ? Map.of() : parse(text);
        if (!isMessage(message)) {
            Map<String, Object> error =
                    Map.of("code", PARSE_ERROR, "message", "Parse error: the line is no message of JSON-RPC 2.0");
            Map<String, Object> response = new HashMap<>(Map.of("jsonrpc", "2.0", "error", error));
            response.put("id", null);
            out.writeLine(json.writeValueAsBytes(response));
            return new byte[0];
        }
        Object params = message.get("params");
        if ("notifications/cancelled".equals(message.get("method"))) {
            calls.cancel(params instanceof Map<?, ?> members ? members.get("requestId") : null);
            return new byte[0];
        } else if ("tools/call".equals(message.get("method")) && message.get("id") != null) {
            calls.begin(message.get("id"));
            message.put("params", withRequestId(params, message.get("id")));
        }
        return (json.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** No members if it is no object. */
    @SuppressWarnings("unchecked")
    private Map<String, Object> parse(String text) {
        try {
            Map<String, Object> members = json.readValue(text, Map.class);
            return members == null ? Map.of() : members;
        } catch (IOException e) {
            return Map.of();
        }
    }

    private static boolean isMessage(Map<String, Object> message) {
        Object id = message.get("id");
        boolean hasId = id instanceof String || id instanceof Integer || id instanceof Long;
        boolean isRequest = message.get("method") instanceof String
                && (hasId || !message.containsKey("id"))
                && (!message.containsKey("params") || message.get("params") instanceof Map);
        boolean isResponse = hasId
                && !message.containsKey("method")
                && (message.containsKey("result") || message.get("error") instanceof Map);
        return "2.0".equals(message.get("jsonrpc")) && (isRequest || isResponse);
    }

    private static Map<Object, Object> withRequestId(@Nullable Object params, @Nullable Object id) {
        Map<Object, Object> changed = params instanceof Map<?, ?> members ? new HashMap<>(members) : new HashMap<>();
        Map<Object, Object> meta =
                changed.get("_meta") instanceof Map<?, ?> members ? new HashMap<>(members) : new HashMap<>();
        meta.put(REQUEST_ID, id);
        changed.put("_meta", meta);
        return changed;
    }
}
