package dev.oneshot.authentication.resolver;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.xbill.DNS.io.IoClientFactory;
import org.xbill.DNS.io.TcpIoClient;
import org.xbill.DNS.io.UdpIoClient;

/**
 * A socket, a virtual thread and a deadline for each query. dnsjava's own clients share one thread and, over TCP, one
 * connection: one slow response would delay all others.
 */
final class DnsClients implements IoClientFactory {

    @Override
    public UdpIoClient createOrGetUdpClient() {
        return (_, server, _, query, responseBytesMax, timeout) ->
                within(timeout, () -> overUdp(server, query, responseBytesMax));
    }

    @Override
    public TcpIoClient createOrGetTcpClient() {
        return (_, server, _, query, timeout) -> within(timeout, () -> overTcp(server, query));
    }

    private static CompletableFuture<byte[]> within(Duration timeout, Callable<byte[]> exchange) {
        CompletableFuture<byte[]> response = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().name("dns").start(() -> {
            try {
                response.complete(exchange.call());
            } catch (Exception e) {
                response.completeExceptionally(e);
            }
        });
        // Closes the socket that the thread waits for (JEP 444).
        var _ = response.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS).whenComplete((_, _) -> thread.interrupt());
        return response;
    }

    private static byte[] overUdp(InetSocketAddress server, byte[] query, int responseBytesMax) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            socket.send(new DatagramPacket(query, query.length));
            DatagramPacket response = new DatagramPacket(new byte[responseBytesMax], responseBytesMax);
            socket.receive(response);
            return Arrays.copyOf(response.getData(), response.getLength());
        }
    }

    private static byte[] overTcp(InetSocketAddress server, byte[] query) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(server);
            ByteBuffer framed = ByteBuffer.allocate(Short.BYTES + query.length);
            socket.getOutputStream()
                    .write(framed.putShort((short) query.length).put(query).array());
            DataInputStream input = new DataInputStream(socket.getInputStream());
            byte[] response = new byte[input.readUnsignedShort()];
            input.readFully(response);
            return response;
        }
    }
}
