package dev.oneshot.local.bench.api;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Load;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.commons.io.IOUtils;

/**
 * One persistent HTTP/1.1 connection (RFC 9112) that does little work, because it shares the processors with the server.
 * For one thread.
 */
public final class HttpConnection implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(30).toMillis();
    private static final String LENGTH = "Content-Length:";

    private final Socket socket;
    private final BufferedReader in;
    private String body = "";

    /** Connects to this port of 127.0.0.1. */
    public HttpConnection(int port) throws IOException {
        this.socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        // In this charset each byte is a character, so Content-Length counts characters.
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    /** Sends the requests in turn, on the usual number of connections. */
    public static Load<HttpConnection> load(int port, int expected, List<byte[]> requests) {
        Supplier<byte[]> request = Load.roundRobin(requests);
        return new Load<>(Bench.CONNECTIONS, () -> new HttpConnection(port), connection -> {
            connection.exchange(request.get(), expected);
            return true;
        });
    }

    /** Encodes a request; {@code json} is ASCII, and empty for no body. */
    public static byte[] request(String method, String path, String bearer, String json) {
        String head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + bearer + "\r\n"
                + (json.isEmpty() ? "" : "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n")
                + "\r\n" + json;
        return head.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Sends a request and reads its response, whose body has a Content-Length.
     *
     * @throws ProtocolException for another status code than the expected one
     */
    public void exchange(byte[] request, int expected) throws IOException {
        socket.getOutputStream().write(request);
        String status = line();
        int length = 0;
        for (String field = line(); !field.isEmpty(); field = line()) {
            if (field.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                length = Integer.parseInt(field.substring(LENGTH.length()).strip());
            }
        }
        char[] content = new char[length];
        IOUtils.readFully(in, content);
        body = new String(content);
        if (!status.startsWith("HTTP/1.1 " + expected)) {
            throw new ProtocolException("expected " + expected + ", not " + status + " " + body);
        }
    }

    /** The body of the last response. */
    public String body() {
        return body;
    }

    /** The value of the first JSON string with this name in the last response. */
    public String string(String name) {
        int begin = body.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return body.substring(begin, body.indexOf('"', begin));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private String line() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new EOFException("the connection ended within a response");
        }
        return line;
    }
}
