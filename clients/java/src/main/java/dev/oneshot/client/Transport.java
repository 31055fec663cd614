package dev.oneshot.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends requests, and repeats those that may succeed later. */
final class Transport {

    private static final int ATTEMPTS_MAX = 3;
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(250);
    private static final Duration TURNED_AWAY_WAIT_MIN = Duration.ofSeconds(1);
    private static final Duration WAITS_MAX = Duration.ofSeconds(60);
    /** With a connection for each of a thousand waits, the service would close some. */
    private static final int REQUESTS_AT_ONCE_MAX = 64;

    private static final int ERROR_BYTES_MAX = 64 * 1024;

    private final HttpClient http;
    private final String baseUrl;
    private final Duration requestTimeout;
    private final int responseBytesMax;
    private final PollPacing pacing;
    private final Semaphore requests = new Semaphore(REQUESTS_AT_ONCE_MAX);
    private volatile String apiKey;

    Transport(
            HttpClient http,
            String baseUrl,
            String apiKey,
            Duration requestTimeout,
            int responseBytesMax,
            PollPacing pacing) {
        this.http = http;
        this.baseUrl = baseUrl;
        this.apiKey = apiKey;
        this.requestTimeout = requestTimeout;
        this.responseBytesMax = responseBytesMax;
        this.pacing = pacing;
    }

    /**
     * A request.
     *
     * @param path relative to the base URL
     * @param body JSON, or null
     * @param repeatable whether it is safe to repeat it after it may have taken effect
     * @param streamed whether the body of a success is left to be read by the caller
     */
    record Call(
            String method,
            String path,
            @Nullable String body,
            Map<String, String> headers,
            boolean repeatable,
            boolean streamed) {

        static Call of(String method, String path) {
            return new Call(method, path, null, Map.of(), true, false);
        }

        static Call download(String path) {
            return new Call("GET", path, null, Map.of(), true, true);
        }

        static Call post(String path, String body) {
            return new Call("POST", path, body, Map.of("Content-Type", "application/json"), false, false);
        }

        /** A request whose repetitions have one effect, as they have this key. */
        Call withIdempotencyKey(String key) {
            return new Call(method, path, body, with("Idempotency-Key", key).headers, true, streamed);
        }

        Call with(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Call(method, path, body, more, repeatable, streamed);
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /** A response; {@code text} is empty if the body is left in {@code stream}, or is {@code tooLarge}. */
    record Reply(Call call, int status, HttpHeaders headers, String text, boolean tooLarge, BodyStream stream) {

        boolean isSuccess() {
            return (status >= 200 && status < 300) || status == 304;
        }
    }

    /** The key of all requests from now on. */
    void useKey(String newKey) {
        apiKey = newKey;
    }

    /** As {@link #send(Call, Duration)}, for callers that do not expect to be interrupted. */
    Reply send(Call call) {
        try {
            return send(call, Duration.ofDays(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OneshotException(call + " was interrupted", e);
        }
    }

    /**
     * Sends a request until its response is no reason to repeat it.
     *
     * @param timeout for all attempts together
     * @throws ApiException if the last response is an error
     * @throws OneshotException if there is none
     */
    Reply send(Call call, Duration timeout) throws InterruptedException {
        long start = System.nanoTime();
        int failures = 0;
        int turnedAway = 0;
        long waited = 0;
        while (true) {
            long left = timeout.toNanos() - (System.nanoTime() - start);
            OneshotException failure;
            long wait;
            try {
                Reply reply = attempt(call, Math.min(left, requestTimeout.toNanos()));
                boolean deletedBefore = reply.status == 404 && failures > 0 && call.method.equals("DELETE");
                if (reply.isSuccess() || deletedBefore) {
                    return reply;
                }
                failure = error(reply);
                wait = retryAfter(reply);
                if (reply.status >= 500) {
                    failures++;
                } else if (reply.status == 429 || (reply.status == 409 && wait > 0)) {
                    // 409 with Retry-After: the service still processes an earlier attempt.
                    turnedAway++;
                    wait = Math.max(wait, TURNED_AWAY_WAIT_MIN.toNanos());
                } else {
                    throw failure;
                }
                wait += backoff(failures + turnedAway);
            } catch (InterruptedIOException e) {
                Thread.interrupted();
                throw new InterruptedException(call + " was interrupted");
            } catch (IOException e) {
                failures++;
                failure = new OneshotException(call + " got no response from " + baseUrl + ": " + e, e);
                wait = backoff(failures);
            }
            waited += wait;
            boolean isLast = failures >= ATTEMPTS_MAX || (failures > 0 && !call.repeatable);
            if (isLast || waited > WAITS_MAX.toNanos() || wait > left) {
                throw failure;
            }
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }

    private Reply attempt(Call call, long nanosMax) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + call.path))
                .header("Authorization", "Bearer " + apiKey)
                .method(
                        call.method,
                        call.body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(call.body));
        call.headers.forEach(request::header);
        requests.acquire();
        try {
            long deadline = System.nanoTime() + nanosMax;
            HttpResponse<BodyStream> response = headers(request.build(), nanosMax);
            pacing.learn(response.headers());
            int status = response.statusCode();
            Reply reply = new Reply(call, status, response.headers(), "", false, response.body());
            if (call.streamed && reply.isSuccess()) {
                return reply;
            }
            int bytesMax = reply.isSuccess() ? responseBytesMax : ERROR_BYTES_MAX;
            byte[] bytes = response.body().readAll(bytesMax, deadline);
            if (bytes == null && reply.isSuccess()) {
                throw new OneshotException(tooLarge(reply, bytesMax), null);
            } else if (bytes == null) {
                return new Reply(call, status, response.headers(), "", true, response.body());
            }
            String text = new String(bytes, StandardCharsets.UTF_8);
            return new Reply(call, status, response.headers(), text, false, response.body());
        } finally {
            requests.release();
        }
    }

    /** The response up to its body. The JDK's own time-out includes the body or not, by version. */
    private HttpResponse<BodyStream> headers(HttpRequest request, long nanosMax)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<BodyStream>> response =
                http.sendAsync(request, headers -> new BodyStream(requestTimeout));
        boolean taken = false;
        try {
            HttpResponse<BodyStream> taking = response.get(nanosMax, TimeUnit.NANOSECONDS);
            taken = true;
            return taking;
        } catch (TimeoutException e) {
            throw (IOException) new HttpTimeoutException("none in time").initCause(e);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } finally {
            if (!taken && !response.cancel(true) && !response.isCompletedExceptionally()) {
                response.join().body().close();
            }
        }
    }

    private static String tooLarge(Reply reply, int bytesMax) {
        return "the response to " + reply.call + " (" + reply.status + ") has more than " + bytesMax + " bytes";
    }

    private static ApiException error(Reply reply) {
        String requestId = reply.headers.firstValue("X-Request-Id").orElse(null);
        String code = "UNKNOWN";
        String message = "the response to " + reply.call + " has no error body";
        String upgradeUrl = null;
        try {
            if (reply.tooLarge) {
                throw new OneshotException(tooLarge(reply, ERROR_BYTES_MAX), null);
            }
            Json error = Json.of(reply).member("error");
            code = error.string("code");
            message = error.string("message");
            upgradeUrl = error.optional("upgrade_url");
        } catch (OneshotException e) {
            // A proxy's error, say: its status is all there is to report.
            message = message + " (" + e.getMessage() + ")";
        }
        return switch (reply.status) {
            case 404 -> new NotFoundException(reply.status, code, message, requestId, upgradeUrl);
            case 410 -> new AddressExpiredException(reply.status, code, message, requestId, upgradeUrl);
            default -> new ApiException(reply.status, code, message, requestId, upgradeUrl);
        };
    }

    /** In nanoseconds; 0 if the response does not say. A number too large to wait for is a day. */
    private static long retryAfter(Reply reply) {
        String seconds = reply.headers.firstValue("Retry-After").orElse("");
        if (seconds.length() > 6 && seconds.matches("\\d+")) {
            return Duration.ofDays(1).toNanos();
        }
        return seconds.matches("\\d{1,6}") ? TimeUnit.SECONDS.toNanos(Long.parseLong(seconds)) : 0;
    }

    /** In nanoseconds, with jitter: doubled each time. */
    private static long backoff(int repetition) {
        long backoff = FIRST_BACKOFF.toNanos() << Math.min(repetition - 1, 6);
        return backoff / 2 + ThreadLocalRandom.current().nextLong(backoff);
    }
}
