package dev.oneshot.api.http;

import com.fasterxml.jackson.core.JacksonException;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Tells a client that hung up, or fell silent in the middle of its request, from a failure of ours. */
final class ClientGone {

    private ClientGone() {}

    /**
     * Whether a failure is that of the client's connection. Nothing else that a request does fails with an
     * {@link IOException}: what the database throws has become an unchecked exception, and what a body says wrong is
     * Jackson's.
     *
     * @param failure as it came out of whatever reads the request or writes the answer, its causes not looked at
     */
    static boolean explains(Throwable failure) {
        return switch (failure) {
            case HttpClosedException _, StreamResetException _ -> true;
            case JacksonException _, InterruptedIOException _ -> false;
            case IOException _ -> true;
            default -> false;
        };
    }
}
