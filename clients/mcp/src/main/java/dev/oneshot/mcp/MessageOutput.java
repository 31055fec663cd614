package dev.oneshot.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The messages to the client, each written as a whole line. Leaves out the responses to cancelled calls. */
final class MessageOutput extends OutputStream {

    private final OutputStream out;
    private final McpJsonMapper json;
    private final Calls calls;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    MessageOutput(OutputStream out, McpJsonMapper json, Calls calls) {
        this.out = out;
        this.json = json;
        this.calls = calls;
    }

    /** Writes a message that is not of the SDK. Any thread may call it. */
    void writeLine(byte[] message) throws IOException {
        synchronized (out) {
            out.write(message);
            out.write('\n');
            out.flush();
        }
    }

    @Override
    public synchronized void write(int b) throws IOException {
        if (b != '\n') {
            line.write(b);
            return;
        }
        byte[] message = line.toByteArray();
        line.reset();
        if (isSent(message)) {
            writeLine(message);
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            write(bytes[i]);
        }
    }

    private boolean isSent(byte[] message) throws IOException {
        Map<?, ?> members = json.readValue(new String(message, StandardCharsets.UTF_8), Map.class);
        Object id = members.get("id");
        return members.containsKey("method") || id == null || calls.end(id);
    }
}
