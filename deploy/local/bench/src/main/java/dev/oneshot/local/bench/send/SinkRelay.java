package dev.oneshot.local.bench.send;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * An SMTP server that takes every mail and keeps none, in the process of the benchmark so that its clock is the
 * clients'. Tells the local part of the reverse-path of each mail at its 250.
 */
final class SinkRelay implements AutoCloseable {

    private static final int LINE_MAX = 2048;
    private static final int BUFFER = 64 * 1024;
    private static final byte[] END = {'\r', '\n', '.', '\r', '\n'};
    private static final CountDownLatch OPEN = new CountDownLatch(0);

    private final ServerSocket server;
    private final Deliveries deliveries;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch gate = OPEN;

    SinkRelay(Deliveries deliveries) throws IOException {
        this.server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        this.deliveries = deliveries;
        Thread.ofPlatform().daemon().name("sink-relay").start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Lets nobody go on after MAIL until {@link #release()}. */
    void hold() {
        gate = new CountDownLatch(1);
    }

    void release() {
        CountDownLatch held = gate;
        gate = OPEN;
        held.countDown();
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
            socket.setTcpNoDelay(true);
            new Session(socket).talk();
        } catch (EOFException clientIsGone) {
            // Without QUIT, as a client may that has no more to say.
            return;
        } catch (IOException e) {
            if (!server.isClosed()) {
                throw new UncheckedIOException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(socket);
        }
    }

    private final class Session {

        private final InputStream in;
        private final OutputStream out;
        private final byte[] buffer = new byte[BUFFER];
        private int position;
        private int limit;
        private final byte[] line = new byte[LINE_MAX];
        private String sender = "";

        Session(Socket socket) throws IOException {
            this.in = socket.getInputStream();
            this.out = socket.getOutputStream();
        }

        void talk() throws IOException, InterruptedException {
            reply("220 sink");
            while (true) {
                String command = command();
                switch (command.substring(0, Math.min(4, command.length()))) {
                    case "EHLO" -> reply("250-sink\r\n250-8BITMIME\r\n250 SIZE 100000000");
                    case "MAIL" -> {
                        sender = command.substring(command.indexOf('<') + 1, command.indexOf('@'));
                        gate.await();
                        reply("250 ok");
                    }
                    case "DATA" -> {
                        reply("354 go ahead");
                        discard();
                        deliveries.relayed(sender, System.nanoTime());
                        reply("250 2.0.0 gone");
                    }
                    case "QUIT" -> {
                        reply("221 bye");
                        return;
                    }
                    default -> reply("250 ok");
                }
            }
        }

        private void reply(String text) throws IOException {
            out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }

        private String command() throws IOException {
            int length = 0;
            for (byte octet = read(); octet != '\n'; octet = read()) {
                if (length == LINE_MAX) {
                    throw new IOException("a command without an end");
                }
                line[length++] = octet;
            }
            return new String(line, 0, length, StandardCharsets.US_ASCII).strip();
        }

        /** Reads up to the line that is a dot alone. */
        private void discard() throws IOException {
            int matched = 2;
            while (matched < END.length) {
                byte octet = read();
                if (octet == END[matched]) {
                    matched++;
                } else {
                    matched = octet == '\r' ? 1 : 0;
                }
            }
        }

        private byte read() throws IOException {
            if (position == limit) {
                limit = in.read(buffer);
                position = 0;
                if (limit < 0) {
                    throw new EOFException();
                }
            }
            return buffer[position++];
        }
    }
}
