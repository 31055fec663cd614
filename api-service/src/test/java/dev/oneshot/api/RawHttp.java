package dev.oneshot.api;

import io.restassured.RestAssured;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Requests that client libraries do not send. */
public final class RawHttp {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private RawHttp() {}

    /** A request to the service with nothing but what is added. */
    public static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + RestAssured.port + path));
    }

    /** Sends it and reads the response as bytes. */
    public static HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Sends these bytes on a connection that stays open. */
    public static Socket begin(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** Sends these bytes and reads the response until the service closes. */
    public static String exchange(String request) throws IOException {
        return exchange(RestAssured.port, request);
    }

    /** Sends these bytes to a service at this port and reads the response until it closes. */
    public static String exchange(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
