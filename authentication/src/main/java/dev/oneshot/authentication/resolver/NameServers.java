package dev.oneshot.authentication.resolver;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.SimpleResolver;

/**
 * Sends a query to resolving name servers until one of them responds. If a server does not respond soon, the next one
 * is asked as well. A server that was slower than another, or failed, is asked last for half a minute.
 */
final class NameServers {

    private static final int ATTEMPTS_MIN = 2;
    private static final int ATTEMPTS_MAX = 3;
    private static final Duration SOON = Duration.ofMillis(300);
    private static final Duration ASKED_LAST = Duration.ofSeconds(30);
    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("dns").start(task);

    private final List<Server> servers;
    private final Duration timeout;
    private final Duration soon;

    private static final class Server {

        private final SimpleResolver resolver;
        private volatile long silentUntil = System.nanoTime();

        Server(InetSocketAddress address, Duration timeout) {
            this.resolver = new SimpleResolver(address);
            resolver.setIoClientFactory(new DnsClients());
            resolver.setTimeout(timeout);
        }

        boolean isSilent() {
            return silentUntil - System.nanoTime() > 0;
        }

        void setSilent(boolean silent) {
            silentUntil = System.nanoTime() + (silent ? ASKED_LAST.toNanos() : 0);
        }
    }

    /**
     * A query to one server.
     *
     * @param end completes without an exception, also if there is no response
     */
    private record Attempt(Server server, CompletableFuture<Void> end) {}

    /**
     * The first three of the servers.
     *
     * @param timeout of one query, on all servers together
     */
    NameServers(List<InetSocketAddress> addresses, Duration timeout) {
        this.timeout = timeout;
        this.servers = addresses.stream()
                .limit(ATTEMPTS_MAX)
                .map(address -> new Server(address, timeout))
                .toList();
        Duration share = timeout.dividedBy(Math.max(ATTEMPTS_MIN, servers.size()));
        // A single server gets all of the time, as a second query only helps if the first is lost.
        this.soon = servers.size() > 1 && share.compareTo(SOON) > 0 ? SOON : share;
    }

    /** The first response that has records or says that there are none; empty if there is none in time. */
    Optional<Message> response(Message query) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        CompletableFuture<Message> response = new CompletableFuture<>();
        List<Attempt> attempts = new ArrayList<>();
        for (Server server : inOrder()) {
            if (!response.isDone()) {
                Attempt attempt = ask(server, query, response);
                attempts.add(attempt);
                await(CompletableFuture.anyOf(response, attempt.end()), soon.toNanos());
            }
        }
        CompletableFuture<?>[] ends = attempts.stream().map(Attempt::end).toArray(CompletableFuture[]::new);
        await(
                CompletableFuture.anyOf(response, CompletableFuture.allOf(ends)),
                Math.max(0, deadline - System.nanoTime()));
        // The last attempt may not have had time to end.
        attempts.subList(0, attempts.size() - 1).stream()
                .filter(attempt -> !attempt.end().isDone())
                .forEach(attempt -> attempt.server().setSilent(true));
        return Optional.ofNullable(response.getNow(null));
    }

    private List<Server> inOrder() {
        List<Server> inOrder = new ArrayList<>(servers);
        inOrder.sort(Comparator.comparing(Server::isSilent));
        while (inOrder.size() < ATTEMPTS_MIN) {
            inOrder.add(inOrder.getFirst());
        }
        return inOrder;
    }

    private static Attempt ask(Server server, Message query, CompletableFuture<Message> response) {
        CompletableFuture<Void> end = server.resolver
                .sendAsync(query, THREADS)
                .toCompletableFuture()
                .handle((message, failure) -> {
                    if (failure != null) {
                        server.setSilent(true);
                    } else if (isUsable(message) && response.complete(message)) {
                        server.setSilent(false);
                    }
                    return null;
                });
        return new Attempt(server, end);
    }

    private static boolean isUsable(Message response) {
        return response.getRcode() == Rcode.NOERROR || response.getRcode() == Rcode.NXDOMAIN;
    }

    private static void await(CompletableFuture<?> future, long nanos) throws InterruptedException {
        try {
            future.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            // The next server is asked, or there is no response in time.
        } catch (ExecutionException e) {
            throw new IllegalStateException("attempts end without an exception", e);
        }
    }
}
