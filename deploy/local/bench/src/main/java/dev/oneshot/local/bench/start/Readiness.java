package dev.oneshot.local.bench.start;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks a service often whether it is ready, as what is measured is how soon it is. */
final class Readiness {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Duration ASK_EVERY = Duration.ofMillis(5);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);
    private static final Duration READY_WITHIN = Duration.ofMinutes(1);

    private Readiness() {}

    /** Returns as soon as it is. */
    static void await(int managementPort) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + managementPort + "/q/health/ready"))
                .timeout(ANSWER_WITHIN)
                .build();
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (!isReady(request)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(request.uri() + " was not ready within " + READY_WITHIN);
            }
            Thread.sleep(ASK_EVERY);
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
