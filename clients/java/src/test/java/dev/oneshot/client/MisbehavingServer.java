package dev.oneshot.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An HTTP server that gives the scripted responses in turn, the last one for ever, each on a connection of its own. It
 * ends with the test that registers it.
 */
@NullMarked
final class MisbehavingServer implements AfterEachCallback {

    /** What happens after the bytes of a response are written. */
    enum Then {
        CLOSE,
        RESET,
        STALL,
        REPEAT_FOR_EVER
    }

    record Request(String method, String path, Map<String, String> headers, String body, long nanoTime) {}

    private record Response(String bytes, Then then) {}

    private final ServerSocket server;
    private final Queue<Response> script = new ArrayDeque<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    MisbehavingServer() {
        try {
            server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/v1";
    }

    /** A client of it that takes small responses only, and waits for five seconds. */
    OneshotClient client() {
        return OneshotClient.builder()
                .baseUrl(url() + "/")
                .apiKey("key")
                .requestTimeout(Duration.ofSeconds(5))
                .responseBytesMax(2000)
                .build();
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    /** A complete response. */
    MisbehavingServer then(int status, String body, String... headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " x\r\nConnection: close\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        if (status != 304 && status != 204) {
            head.append("Content-Length: ")
                    .append(body.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n");
        }
        return thenRaw(head + "\r\n" + body, Then.CLOSE);
    }

    MisbehavingServer thenRaw(String bytes, Then then) {
        synchronized (script) {
            script.add(new Response(bytes, then));
        }
        return this;
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                daemon(() -> serve(socket));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            String line = reader.readLine();
            if (line == null) {
                return;
            }
            requests.add(request(line, reader));
            Response response;
            synchronized (script) {
                response = script.size() > 1 ? script.remove() : script.element();
            }
            respond(socket, response);
        } catch (IOException e) {
            // The client has gone, as several tests want.
            open.remove(socket);
        }
    }

    private static Request request(String line, BufferedReader reader) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String field = reader.readLine(); field != null && !field.isEmpty(); field = reader.readLine()) {
            int colon = field.indexOf(':');
            if (colon < 0) {
                throw new IOException("not a header field, as from a client that speaks TLS");
            }
            headers.put(field.substring(0, colon), field.substring(colon + 1).strip());
        }
        String[] words = line.split(" ", -1);
        char[] body = new char[Integer.parseInt(headers.getOrDefault("content-length", "0"))];
        int length = 0;
        while (length < body.length) {
            length += Math.max(0, reader.read(body, length, body.length - length));
        }
        return new Request(
                words[0],
                words[1],
                headers,
                new String(new String(body).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8),
                System.nanoTime());
    }

    private static void respond(Socket socket, Response response) throws IOException {
        OutputStream output = socket.getOutputStream();
        byte[] bytes = response.bytes().getBytes(StandardCharsets.UTF_8);
        output.write(bytes);
        output.flush();
        switch (response.then()) {
            case CLOSE -> socket.shutdownOutput();
            case RESET -> socket.setSoLinger(true, 0);
            case STALL -> socket.getInputStream().readAllBytes(); // Until the client closes the connection.
            case REPEAT_FOR_EVER -> {
                while (true) {
                    output.write("x".repeat(8192).getBytes(StandardCharsets.US_ASCII));
                }
            }
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "misbehaving-server");
        thread.setDaemon(true);
        thread.start();
    }
}
