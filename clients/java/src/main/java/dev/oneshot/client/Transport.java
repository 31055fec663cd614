package dev.oneshot.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
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
    private static final Pattern VERSIONED = Pattern.compile("/v[0-9]+$");

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
     * @param streamed whether the body of a success is left to be read by the caller
     */
    record Call(String method, String path, @Nullable String body, Map<String, String> headers, boolean streamed) {

        static Call of(String method, String path) {
            return new Call(method, path, null, Map.of(), false);
        }

        static Call download(String path) {
            return new Call("GET", path, null, Map.of(), true);
        }

        /** A request whose repetitions have one effect, as they have this key. */
        static Call post(String path, String body, String idempotencyKey) {
            Map<String, String> headers = Map.of("Content-Type", "application/json", "Idempotency-Key", idempotencyKey);
            return new Call("POST", path, body, headers, false);
        }

        Call with(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Call(method, path, body, more, streamed);
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /**
     * A response.
     *
     * @param request for messages: the method and the whole URL
     * @param text empty if the body is left in {@code stream}, or is {@code tooLarge}
     */
    record Reply(
            Call call,
            String request,
            int status,
            HttpHeaders headers,
            String text,
            boolean tooLarge,
            BodyStream stream) {

        boolean isSuccess() {
            return (status >= 200 && status < 300) || status == 304;
        }

        boolean isHtml() {
            String type = headers.firstValue("Content-Type").orElse("");
            return type.toLowerCase(Locale.ROOT).contains("text/html")
                    || text.stripLeading().startsWith("<");
        }

        /** A sentence about a response that is not the service's, with what may be the cause. */
        String flaw(String what) {
            String location = headers.firstValue("Location").orElse("");
            return "the response to " + request + " (" + status + ") " + what
                    + (isHtml() ? ", but HTML, as from a proxy in front of the service or from another server" : "")
                    + (location.isEmpty() ? "" : "; it redirects to " + location + ", which is not followed")
                    + hint();
        }

        private String hint() {
            String baseUrl = request.substring(request.indexOf(' ') + 1, request.length() - call.path.length());
            return VERSIONED.matcher(baseUrl).find() ? "" : "; the base URL " + baseUrl + " does not end in /v1";
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
        long end = System.nanoTime() + timeout.toNanos();
        int failures = 0;
        int turnedAway = 0;
        long waited = 0;
        while (true) {
            OneshotException failure;
            long wait;
            try {
                Reply reply = attempt(call, Math.min(end - System.nanoTime(), requestTimeout.toNanos()));
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
                failure = new OneshotException(
                        request(call) + " got no response: " + reason(e)
                                + (failures == 1 ? "" : " (attempt " + failures + ")"),
                        e);
                wait = backoff(failures);
            }
            waited += wait;
            if (failures >= ATTEMPTS_MAX || waited > WAITS_MAX.toNanos() || wait > end - System.nanoTime()) {
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
            Reply reply = new Reply(call, request(call), status, response.headers(), "", false, response.body());
            if (reply.isSuccess() && reply.isHtml() && !call.path.contains("/attachments/")) {
                response.body().close();
                throw new OneshotException(reply.flaw("is not of this API"), null);
            }
            if (call.streamed && reply.isSuccess()) {
                return reply;
            }
            int bytesMax = reply.isSuccess() ? responseBytesMax : ERROR_BYTES_MAX;
            byte[] bytes = response.body().readAll(bytesMax, deadline);
            if (bytes == null && reply.isSuccess()) {
                throw new OneshotException(tooLarge(reply, bytesMax), null);
            } else if (bytes == null) {
                return new Reply(call, request(call), status, response.headers(), "", true, response.body());
            }
            String text = new String(bytes, StandardCharsets.UTF_8);
            return new Reply(call, request(call), status, response.headers(), text, false, response.body());
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
            double seconds = TimeUnit.NANOSECONDS.toMillis(nanosMax) / 1000.0;
            throw (IOException) new HttpTimeoutException("none within " + seconds + " s").initCause(e);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } finally {
            if (!taken && !response.cancel(true) && !response.isCompletedExceptionally()) {
                response.join().body().close();
            }
        }
    }

    private static String tooLarge(Reply reply, int bytesMax) {
        return reply.flaw("has more than " + bytesMax + " bytes");
    }

    private static ApiException error(Reply reply) {
        String requestId = reply.headers.firstValue("X-Request-Id").orElse(null);
        String code = "UNKNOWN";
        String message;
        String upgradeUrl = null;
        try {
            if (reply.tooLarge) {
                throw new OneshotException(tooLarge(reply, ERROR_BYTES_MAX), null);
            }
            Json error = Json.of(reply).member("error");
            code = error.string("code");
            message = error.string("message") + (reply.status == 404 ? reply.hint() : "");
            upgradeUrl = error.optional("upgrade_url");
        } catch (OneshotException e) {
            // A proxy's error, say.
            message = reply.tooLarge ? String.valueOf(e.getMessage()) : reply.flaw("has no error body");
        }
        return switch (reply.status) {
            case 404 -> new NotFoundException(reply.status, code, message, requestId, upgradeUrl);
            case 410 -> new AddressExpiredException(reply.status, code, message, requestId, upgradeUrl);
            default -> new ApiException(reply.status, code, message, requestId, upgradeUrl);
        };
    }

    private String request(Call call) {
        return call.method + " " + baseUrl + call.path;
    }

    /** Why there is no response, in words: most exceptions of the JDK's client have no message of their own. */
    private static String reason(IOException failure) {
        String reason = failure.getClass().getSimpleName();
        String connect = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return "its host is unknown";
            } else if (cause instanceof SSLException) {
                return "TLS failed: " + cause.getMessage();
            } else if (cause instanceof HttpTimeoutException) {
                return String.valueOf(cause.getMessage());
            } else if (cause instanceof ConnectException) {
                connect = "cannot connect: ";
                reason = cause.getMessage() == null ? reason : cause.getMessage();
            } else if (cause.getMessage() != null) {
                reason = cause.getMessage();
            }
        }
        return connect + reason;
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
