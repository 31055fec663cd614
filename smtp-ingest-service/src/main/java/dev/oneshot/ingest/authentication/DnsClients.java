package dev.oneshot.ingest.authentication;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.xbill.DNS.Message;
import org.xbill.DNS.io.DefaultIoClientFactory;
import org.xbill.DNS.io.TcpIoClient;

/**
 * dnsjava's client for UDP, and one for TCP with a connection and a deadline for each query: with the library's shared
 * connection one slow response would delay all others.
 */
final class DnsClients extends DefaultIoClientFactory {

    @Override
    public TcpIoClient createOrGetTcpClient() {
        return DnsClients::ask;
    }

    private static CompletableFuture<byte[]> ask(
            InetSocketAddress local, InetSocketAddress server, Message query, byte[] octets, Duration timeout) {
        CompletableFuture<byte[]> response = new CompletableFuture<>();
        long deadline = System.nanoTime() + timeout.toNanos();
        Thread.ofVirtual().name("dns-tcp").start(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(server, millis(deadline));
                socket.getOutputStream()
                        .write(ByteBuffer.allocate(Short.BYTES + octets.length)
                                .putShort((short) octets.length)
                                .put(octets)
                                .array());
                byte[] length = read(socket, Short.BYTES, deadline);
                response.complete(
                        read(socket, Short.toUnsignedInt(ByteBuffer.wrap(length).getShort()), deadline));
            } catch (IOException e) {
                response.completeExceptionally(e);
            }
        });
        return response;
    }

    private static byte[] read(Socket socket, int count, long deadline) throws IOException {
        InputStream input = socket.getInputStream();
        byte[] octets = new byte[count];
        int filled = 0;
        while (filled < count) {
            socket.setSoTimeout(millis(deadline));
            int read = input.read(octets, filled, count - filled);
            if (read < 0) {
                throw new IOException("closed within a response");
            }
            filled += read;
        }
        return octets;
    }

    private static int millis(long deadline) throws IOException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new InterruptedIOException("no response in time");
        }
        return (int) left;
    }
}
