package dev.oneshot.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that reads a response only when the test tells it to. */
public final class SlowReader implements AutoCloseable {

    /** Longer than a response may wait for memory. */
    private static final int READ_TIMEOUT_MILLIS = 90_000;

    private final Socket socket;
    private final byte[] request;

    private SlowReader(Socket socket, byte[] request) {
        this.socket = socket;
        this.request = request;
    }

    /** Requests a path with an API key. */
    public static SlowReader get(int port, String path, String key) throws IOException {
        return new SlowReader(request(port, path, key), octets(path, key));
    }

    /** Requests a path with an API key, and returns the socket. */
    public static Socket request(int port, String path, String key) throws IOException {
        Socket socket = new Socket();
        // Before the connect, or the service may send all of it at once.
        socket.setReceiveBufferSize(8 * 1024);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream().write(octets(path, key));
        return socket;
    }

    private static byte[] octets(String path, String key) {
        return ("GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Requests the path again, on the same connection. */
    public void again() throws IOException {
        socket.getOutputStream().write(request);
    }

    /** The first bytes of the response, such as {@code HTTP/1.1 200}. */
    public String status() throws IOException {
        return new String(socket.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
    }

    /** Reads the rest and returns its length, whether the connection is closed or reset. */
    public long octetsUntilTheEnd() throws IOException {
        InputStream in = socket.getInputStream();
        long octets = 0;
        byte[] piece = new byte[64 * 1024];
        try {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                octets += read;
            }
        } catch (SocketException reset) {
            return octets;
        }
        return octets;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
