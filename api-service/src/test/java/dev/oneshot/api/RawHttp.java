package dev.oneshot.api;

import dev.oneshot.testing.RawConnection;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;

/** Requests that client libraries do not send, and responses as they come. */
public final class RawHttp {

    /** The header field of a request with JSON. */
    public static final String JSON = "Content-Type: application/json";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private RawHttp() {}

    /** The port of health, metrics and the operator API. */
    public static int managementPort() {
        return ConfigProvider.getConfig().getValue("quarkus.management.test-port", Integer.class);
    }

    /** Sends a request without a body, with header fields, each {@code name: value}. */
    public static RawResponse send(String method, String path, String... fields) {
        return send(method, path, BodyPublishers.noBody(), fields);
    }

    /** Sends a request with header fields, each {@code name: value}. */
    public static RawResponse send(String method, String path, BodyPublisher body, String... fields) {
        return send(CLIENT, RestAssured.port, method, path, body, fields);
    }

    /** Sends JSON to a path of the operator API, with its token. */
    public static RawResponse operate(String method, String path, BodyPublisher json) {
        String token = "Authorization: Bearer " + TestAccount.OPERATOR_TOKEN;
        return send(CLIENT, managementPort(), method, "/operator/" + path, json, token, JSON);
    }

    /** Header fields, the first of them with a key. */
    static String[] withKey(String key, String... fields) {
        return Stream.concat(Stream.of("Authorization: Bearer " + key), Stream.of(fields))
                .toArray(String[]::new);
    }

    private static RawResponse send(
            HttpClient client, int port, String method, String path, BodyPublisher body, String... fields) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, body);
        for (String field : fields) {
            String[] nameAndValue = field.split(": ", 2);
            request.header(nameAndValue[0], nameAndValue[1]);
        }
        try {
            HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
            return new RawResponse(response.statusCode(), response.headers(), response.body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends these bytes on a connection that stays open. */
    public static Socket begin(String request) throws IOException {
        return RawConnection.begin(RestAssured.port, request);
    }

    /** Sends these bytes and reads the response until the service closes. */
    public static String exchange(String request) throws IOException {
        return RawConnection.exchange(RestAssured.port, request);
    }

    /** The same on the management port. */
    public static String operatorExchange(String request) throws IOException {
        return RawConnection.exchange(managementPort(), request);
    }
}
