package dev.oneshot.local.bench.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Polls a service's readiness every 5 ms, because the time until then is measured. */
public final class Readiness {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);

    private Readiness() {}

    /**
     * Returns as soon as the service is ready.
     *
     * @throws IllegalStateException after a minute
     */
    public static void await(int managementPort) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + managementPort + "/q/health/ready"))
                .timeout(RESPONSE_TIMEOUT)
                .build();
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (!isReady(request)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(request.uri() + " was not ready within " + READY_TIMEOUT);
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    private static boolean isReady(HttpRequest request) throws InterruptedException {
        try {
            return CLIENT.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }
}
