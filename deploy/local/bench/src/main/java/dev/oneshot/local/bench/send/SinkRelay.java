package dev.oneshot.local.bench.send;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
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
            InputStreamReader input = new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1);
            talk(new BufferedReader(input, BUFFER), socket.getOutputStream());
        } catch (EOFException withoutItsEnd) {
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

    private void talk(BufferedReader in, OutputStream out) throws IOException, InterruptedException {
        String sender = "";
        reply(out, "220 sink");
        for (String command = in.readLine(); command != null; command = in.readLine()) {
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
            } else if (command.startsWith("QUIT")) {
                reply(out, "221 bye");
                return;
            } else {
                reply(out, "250 ok");
            }
        }
    }

    /** Reads up to the line that is a single dot. */
    private static void discard(BufferedReader in) throws IOException {
        String line = in.readLine();
        while (!".".equals(line)) {
            if (line == null) {
                throw new EOFException("the connection ended within a mail");
            }
            line = in.readLine();
        }
    }

    private static void reply(OutputStream out, String text) throws IOException {
        out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }
}
