package dev.oneshot.local.bench.api;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One persistent HTTP/1.1 connection (RFC 9112) that does little work, because it shares the processors with the server.
 * For one thread.
 */
public final class HttpConnection implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(30).toMillis();

    private final Socket socket;
    private final BufferedReader in;
    private char[] body = new char[0];

    /** Connects to this port of 127.0.0.1. */
    public HttpConnection(int port) throws IOException {
        this.socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        // In this charset each byte is a character, so Content-Length counts characters.
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    /** Encodes a request; {@code json} is ASCII, and empty for no body. */
    public static byte[] request(String method, String path, String bearer, String json) {
        String head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + bearer + "\r\n"
                + (json.isEmpty() ? "" : "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n")
                + "\r\n" + json;
        return head.getBytes(StandardCharsets.US_ASCII);
    }

    /** Sends a request, reads its response, whose body has a Content-Length, and returns the status code. */
    public int exchange(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        int status = Integer.parseInt(line().substring(9, 12));
        body = new char[0];
        for (String field = line(); !field.isEmpty(); field = line()) {
            String lowerCase = field.toLowerCase(Locale.ROOT);
            if (lowerCase.startsWith("content-length:")) {
                body = new char[Integer.parseInt(field.substring(15).strip())];
            } else if (lowerCase.startsWith("transfer-encoding:")) {
                throw new ProtocolException("the response has no Content-Length");
            }
        }
        int length = 0;
        while (length < body.length) {
            int read = in.read(body, length, body.length - length);
            if (read < 0) {
                throw new EOFException("the response is truncated");
            }
            length += read;
        }
        return status;
    }

    /** As {@link #exchange}, for one expected status code. */
    public void exchange(byte[] request, int expected) throws IOException {
        int status = exchange(request);
        if (status != expected) {
            throw new ProtocolException("expected " + expected + ", not " + status + " " + body());
        }
    }

    /** The body of the last response. */
    public String body() {
        return new String(body);
    }

    /** The value of the first JSON string with this name in the last response. */
    public String string(String name) {
        String json = body();
        int begin = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return json.substring(begin, json.indexOf('"', begin));
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
