package dev.oneshot.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** An SMTP server on loopback that behaves as its script says. A script may block, and each session has a thread. */
public final class ScriptedRelay implements AutoCloseable {

    /** Instead of a reply: closes the connection. */
    public static final String DROP = "DROP";
    /** Instead of a reply: sends nothing until the client closes. */
    public static final String HANG = "HANG";
    /** Instead of a reply: stops reading. */
    public static final String DEAF = "DEAF";

    /** A relay without faults. */
    public static final Script FRIENDLY = new Script() {};

    private static final int ANY_PORT = 0;

    /**
     * A received mail with its envelope.
     *
     * @param data its beginning, without dot-stuffing
     * @param digest SHA-256 of all its lines as they came
     * @param atNanos when its end was received, by {@link System#nanoTime()}
     */
    public record Mail(String from, String to, String data, String digest, long atNanos) {

        /** The value of its field {@code Message-ID}. */
        public String messageId() {
            return data.lines()
                    .filter(line -> line.startsWith("Message-ID: "))
                    .findFirst()
                    .orElseThrow()
                    .substring("Message-ID: ".length());
        }
    }

    /** The replies. The defaults are those of a relay without faults. */
    public interface Script {
        default String greeting() {
            return "220 relay.example.org ESMTP";
        }

        default String hello() {
            return "250-relay.example.org\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n250 SIZE 100000000";
        }

        /** The reply to STARTTLS, if the relay has a certificate. */
        default String goAhead() {
            return "220 2.0.0 go ahead";
        }

        /** The reply to any command but EHLO, STARTTLS and QUIT. The default {@link #begin} asks it for DATA. */
        default String command(String line) {
            return line.startsWith("DATA") ? "354 go ahead" : "250 2.0.0 ok";
        }

        /** The reply to DATA, for a mail to this recipient. */
        default String begin(String to) {
            return command("DATA");
        }

        /** The replies in the middle of the data. */
        default List<String> inTheMiddle() {
            return List.of();
        }

        /** Whether commands, mails and their data are kept; false if the relay takes any number of them. */
        default boolean keepsMails() {
            return true;
        }

        /** The reply to the end of the data. */
        default String data(Mail mail) {
            return "250 2.0.0 queued";
        }

        /**
         * A relay with one reply of its own.
         *
         * @param step the beginning of a command; empty for the greeting, {@code .} for the end of the data
         */
        static Script replying(String step, String reply) {
            return replying(Map.of(step, reply));
        }

        /** A relay with replies of its own, by their steps. */
        static Script replying(Map<String, String> replies) {
            return new Script() {
                @Override
                public String greeting() {
                    return replies.getOrDefault("", Script.super.greeting());
                }

                @Override
                public String hello() {
                    return replies.getOrDefault("EHLO", Script.super.hello());
                }

                @Override
                public String command(String line) {
                    return replies.entrySet().stream()
                            .filter(step -> !step.getKey().isEmpty() && line.startsWith(step.getKey()))
                            .map(Map.Entry::getValue)
                            .findFirst()
                            .orElseGet(() -> Script.super.command(line));
                }

                @Override
                public String data(Mail mail) {
                    return replies.getOrDefault(".", Script.super.data(mail));
                }
            };
        }
    }

    private final ServerSocket server;
    private volatile @Nullable SSLContext tls;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final List<Mail> taken = new CopyOnWriteArrayList<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicInteger connections = new AtomicInteger();
    private final boolean implicitTls;
    private volatile Script script;

    public ScriptedRelay(Script script) {
        this(script, null);
    }

    /** A relay without faults on a free port that is known already. */
    public static ScriptedRelay at(int port) {
        return new ScriptedRelay(FRIENDLY, null, false, port);
    }

    /** Offers STARTTLS if {@code tls} is given. */
    public ScriptedRelay(Script script, @Nullable SSLContext tls) {
        this(script, tls, false, ANY_PORT);
    }

    /** A relay with TLS from the first byte. */
    public static ScriptedRelay encrypted(Script script, SSLContext tls) {
        return new ScriptedRelay(script, tls, true, ANY_PORT);
    }

    private ScriptedRelay(Script script, @Nullable SSLContext tls, boolean implicitTls, int port) {
        this.implicitTls = implicitTls;
        try {
            this.server = new ServerSocket(port, 1024, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.script = script;
        this.tls = tls;
        Thread.ofVirtual().start(this::accept);
    }

    /** The port it listens on. */
    public int port() {
        return server.getLocalPort();
    }

    /** Replaces the script, also for open sessions. */
    public void setScript(Script next) {
        script = next;
    }

    /** Uses another certificate for the next connections, or none. */
    public void encryptWith(@Nullable SSLContext next) {
        tls = next;
    }

    /** The mails that got 250. */
    public List<Mail> taken() {
        return taken;
    }

    /** The mails that got 250, from the address of this id. */
    public List<Mail> taken(String id) {
        return taken.stream().filter(mail -> mail.from().startsWith(id + "@")).toList();
    }

    /** All commands of all sessions. */
    public List<String> commands() {
        return commands;
    }

    /** The number of connections so far. */
    public int connections() {
        return connections.get();
    }

    /** The number of connected clients. */
    public int sessions() {
        return sockets.size();
    }

    Script script() {
        return script;
    }

    boolean hasCertificate() {
        return tls != null;
    }

    /** Blocks until the relay closes. */
    void awaitClose() {
        try {
            closing.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket socket = server.accept();
                sockets.add(socket);
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            if (!server.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            RelaySession session = new RelaySession(this, implicitTls ? encrypted(socket) : socket);
            if (session.greet()) {
                session.talk();
            }
        } catch (IOException e) {
            // Some tests let the client close at any time.
            commands.add("GONE " + e.getMessage());
        } finally {
            sockets.remove(socket);
        }
    }

    SSLSocket encrypted(Socket socket) throws IOException {
        SSLSocket encrypted =
                (SSLSocket) Objects.requireNonNull(tls).getSocketFactory().createSocket(socket, null, true);
        encrypted.startHandshake();
        return encrypted;
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
