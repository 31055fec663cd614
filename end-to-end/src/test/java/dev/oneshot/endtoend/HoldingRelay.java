package dev.oneshot.endtoend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * An SMTP server on loopback that accepts every mail, and holds mails to two recipients at a step until it is
 * released, so that a test can act on the client exactly there.
 */
final class HoldingRelay implements AutoCloseable {

    /** The mail is held at DATA, before the 354. */
    static final String BEFORE_DATA = "before-data@recipient.example";
    /** The mail is held after its data, before the 250. */
    static final String BEFORE_250 = "before-250@recipient.example";

    /** The mail takes some time, as with a distant relay. */
    static final String SLOW = "slow@recipient.example";

    private static final Duration SLOWNESS = Duration.ofMillis(20);

    /** The mail is accepted at its second attempt. */
    static final String SECOND_TIME = "second-time@recipient.example";

    /**
     * A mail that this relay accepts with 250, even if its client does not receive that.
     *
     * @param digest of all its octets
     * @param atNanos when, by {@link System#nanoTime()}
     */
    record Mail(String from, String to, String messageId, String digest, long atNanos) {}

    private final ServerSocket server;
    private final CountDownLatch released = new CountDownLatch(1);
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final Set<String> refusedOnce = ConcurrentHashMap.newKeySet();
    private final List<Mail> taken = new CopyOnWriteArrayList<>();
    private final List<String> ends = new CopyOnWriteArrayList<>();

    HoldingRelay() throws IOException {
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Whether a mail to this recipient is or was held. */
    boolean hasHeld(String recipient) {
        return held.contains(recipient);
    }

    /** Releases all held mails, and holds none from now on. */
    void release() {
        released.countDown();
    }

    List<Mail> taken() {
        return taken;
    }

    /** The mails from the address of this id. */
    List<Mail> taken(String id) {
        return taken.stream().filter(mail -> mail.from().startsWith(id + "@")).toList();
    }

    @Override
    public void close() throws IOException {
        release();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
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
            new Session(socket).talk();
        } catch (IOException e) {
            // Tests kill clients, which end in the middle of a line.
            ends.add(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(socket);
        }
    }

    private final class Session {

        private final BufferedReader in;
        private final OutputStream out;
        private String from = "";
        private String to = "";

        Session(Socket socket) throws IOException {
            this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            this.out = socket.getOutputStream();
        }

        void talk() throws IOException, InterruptedException {
            reply("220 relay");
            for (String line = in.readLine(); line != null && !line.equals("QUIT"); line = in.readLine()) {
                if (line.startsWith("MAIL FROM:")) {
                    from = line.substring(line.indexOf('<') + 1, line.indexOf('>'));
                } else if (line.startsWith("RCPT TO:")) {
                    to = line.substring(line.indexOf('<') + 1, line.indexOf('>'));
                }
                if (line.equals("DATA")) {
                    hold(BEFORE_DATA);
                    reply("354 go ahead");
                    take();
                } else {
                    reply("250 ok");
                }
            }
        }

        private void take() throws IOException, InterruptedException {
            MessageDigest digest = sha256();
            String messageId = "";
            for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
                if (line == null) {
                    return;
                }
                if (line.startsWith("Message-ID: ")) {
                    messageId = line;
                }
                digest.update((line + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
            hold(BEFORE_250);
            if (to.equals(SLOW)) {
                LockSupport.parkNanos(SLOWNESS.toNanos());
            }
            if (to.equals(SECOND_TIME) && refusedOnce.add(from)) {
                reply("451 4.3.0 later");
                return;
            }
            taken.add(new Mail(from, to, messageId, HexFormat.of().formatHex(digest.digest()), System.nanoTime()));
            reply("250 2.0.0 taken");
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this Java has no SHA-256", e);
            }
        }

        private void hold(String recipient) throws InterruptedException {
            if (to.equals(recipient)) {
                held.add(recipient);
                released.await();
            }
        }

        private void reply(String text) throws IOException {
            out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }
}
