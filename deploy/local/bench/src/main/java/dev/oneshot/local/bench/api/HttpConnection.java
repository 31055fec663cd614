package dev.oneshot.local.bench.api;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One kept HTTP/1.1 connection (RFC 9112), with as little work of its own as it can be, because it shares the
 * processors with what it measures. For one thread.
 */
public final class HttpConnection implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(30).toMillis();
    private static final int LINE_MAX = 16 * 1024;
    private static final int BODY_MAX = 64 * 1024 * 1024;

    private final Socket socket;
    private final BufferedInputStream in;
    private final OutputStream out;
    private final byte[] line = new byte[LINE_MAX];
    private byte[] body = new byte[0];

    /** Connects to this port of 127.0.0.1. */
    public HttpConnection(int port) throws IOException {
        this.socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), TIMEOUT_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream(), LINE_MAX);
        this.out = socket.getOutputStream();
    }

    /** A request as it goes over the wire; with a body it is JSON. */
    public static byte[] request(String method, String path, String bearer, String json) {
        String head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + bearer + "\r\n"
                + (json.isEmpty() ? "" : "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n")
                + "\r\n" + json;
        return head.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Sends a request and reads its answer.
     *
     * @return the status code
     */
    public int exchange(byte[] request) throws IOException {
        out.write(request);
        int length = readLine();
        if (length < 12) {
            throw new ProtocolException("not an HTTP status line");
        }
        int status = Integer.parseInt(new String(line, 9, 3, StandardCharsets.US_ASCII));
        int bodyLength = 0;
        boolean chunked = false;
        for (length = readLine(); length > 0; length = readLine()) {
            String field = new String(line, 0, length, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
            if (field.startsWith("content-length:")) {
                bodyLength =
                        Integer.parseInt(field.substring(field.indexOf(':') + 1).strip());
            }
            chunked |= field.startsWith("transfer-encoding:");
        }
        if (chunked || bodyLength > BODY_MAX) {
            throw new ProtocolException("the answer has no length of its own");
        }
        body = in.readNBytes(bodyLength);
        if (body.length < bodyLength) {
            throw new ProtocolException("the answer is cut off");
        }
        return status;
    }

    /** The body of the last answer. */
    public String body() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private int readLine() throws IOException {
        int length = 0;
        int octet = in.read();
        while (octet != '\n') {
            if (octet < 0 || length == LINE_MAX) {
                throw new ProtocolException("the connection ended within an answer");
            }
            line[length++] = (byte) octet;
            octet = in.read();
        }
        return length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    }
}
