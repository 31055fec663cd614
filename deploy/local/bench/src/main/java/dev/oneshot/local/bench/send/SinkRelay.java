package dev.oneshot.local.bench.send;

import java.io.BufferedInputStream;
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
 * An SMTP server that accepts and discards every mail. It runs in the process of the benchmark, so that both times of a
 * mail come from one clock. Records the local part of the reverse-path at each 250.
 */
final class SinkRelay implements AutoCloseable {

    private static final int BUFFER = 64 * 1024;

    private final ServerSocket server;
    private final Deliveries deliveries;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    SinkRelay(Deliveries deliveries) throws IOException {
        this.server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        this.deliveries = deliveries;
        Thread.startVirtualThread(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Delays the reply to each MAIL until {@link #release()}. */
    void hold() {
        gate = new CountDownLatch(1);
    }

    void release() {
        gate.countDown();
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
                Thread.startVirtualThread(() -> serve(socket));
            }
        } catch (IOException e) {
            requireClosed(e);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            talk(new BufferedInputStream(socket.getInputStream(), BUFFER), socket.getOutputStream());
        } catch (EOFException withoutQuit) {
            return;
        } catch (IOException e) {
            requireClosed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(socket);
        }
    }

    private void requireClosed(IOException e) {
        if (!server.isClosed()) {
            throw new UncheckedIOException(e);
        }
    }

    private void talk(InputStream in, OutputStream out) throws IOException, InterruptedException {
        String sender = "";
        String command = "";
        reply(out, "220 sink");
        while (!command.startsWith("QUIT")) {
            command = command(in);
            if (command.startsWith("EHLO")) {
                reply(out, "250-sink\r\n250-8BITMIME\r\n250 SIZE 100000000");
            } else if (command.startsWith("MAIL")) {
                sender = command.substring(command.indexOf('<') + 1, command.indexOf('@'));
                gate.await();
                reply(out, "250 ok");
            } else if (command.startsWith("DATA")) {
                reply(out, "354 send the message");
                discard(in);
                deliveries.relayed(sender, System.nanoTime());
                reply(out, "250 2.0.0 ok");
            } else {
                reply(out, command.startsWith("QUIT") ? "221 bye" : "250 ok");
            }
        }
    }

    private static void reply(OutputStream out, String text) throws IOException {
        out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static String command(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException();
            }
            line.append((char) octet);
        }
        return line.toString();
    }

    /** Reads up to the line that is a single dot; the client sends nothing after it before the reply. */
    private static void discard(InputStream in) throws IOException {
        byte[] buffer = new byte[BUFFER];
        String tail = "\r\n";
        while (!tail.endsWith("\r\n.\r\n")) {
            int read = in.read(buffer);
            if (read < 0) {
                throw new EOFException();
            }
            int from = Math.max(0, read - 5);
            tail = tail.substring(Math.max(0, tail.length() - 5))
                    + new String(buffer, from, read - from, StandardCharsets.US_ASCII);
        }
    }
}
