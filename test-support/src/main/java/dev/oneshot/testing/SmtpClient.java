package dev.oneshot.testing;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** An SMTP client on loopback that sends exactly what the test says. A reply is its lines, joined by LF. */
public final class SmtpClient implements Closeable {

    private static final Duration REPLY_TIMEOUT = Duration.ofMinutes(2);

    private final Socket socket;
    private final InputStream input;
    private final OutputStream output;

    private SmtpClient(Socket socket) throws IOException {
        this.socket = socket;
        this.input = new BufferedInputStream(socket.getInputStream());
        this.output = socket.getOutputStream();
    }

    /** Connects, and does not read the greeting. */
    public static SmtpClient connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(Math.toIntExact(REPLY_TIMEOUT.toMillis()));
        return new SmtpClient(socket);
    }

    /**
     * Connects and sends EHLO.
     *
     * @throws IOException if the server is down or rejects the connection
     */
    public static SmtpClient greeted(int port) throws IOException {
        SmtpClient client = connect(port);
        try {
            expect("220", client.reply());
            expect("250", client.say("EHLO client.example"));
            return client;
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Sends one mail on a new connection.
     *
     * @return the first reply that is no success, or the reply to the content
     */
    public static String deliver(int port, String recipient, byte[] message) throws IOException {
        try (SmtpClient client = greeted(port)) {
            String reply = client.send(recipient, message);
            if (reply.startsWith("250")) {
                // Shows that the reply was received. A client that only closes may send the same mail again.
                client.say("QUIT");
            }
            return reply;
        }
    }

    /**
     * Sends one mail from ada@example.org.
     *
     * @return the first reply that is no success, or the reply to the content
     * @throws EOFException if the connection ends without a reply
     */
    public String send(String recipient, byte[] message) throws IOException {
        return send("ada@example.org", List.of(recipient), message);
    }

    /** The same from any sender, empty for the null reverse-path, to any recipients. */
    public String send(String sender, List<String> recipients, byte[] message) throws IOException {
        String reply = begin(sender, recipients);
        if (reply.startsWith("354")) {
            content(message);
            reply = say(".");
        }
        if (reply.isEmpty()) {
            throw new EOFException("the connection is lost");
        }
        return reply;
    }

    /** Sends MAIL, RCPT and DATA; returns the first reply that is no success, or the 354. */
    public String begin(String recipient) throws IOException {
        return begin("ada@example.org", List.of(recipient));
    }

    private String begin(String sender, List<String> recipients) throws IOException {
        String reply = say("MAIL FROM:<" + sender + ">");
        for (String recipient : recipients) {
            if (reply.startsWith("250")) {
                reply = say("RCPT TO:<" + recipient + ">");
            }
        }
        return reply.startsWith("250") ? say("DATA") : reply;
    }

    /** Sends lines of a message, dot-stuffed (RFC 5321 §4.5.2). */
    public void content(byte[] octets) throws IOException {
        int from = 0;
        for (int i = 0; i < octets.length; i++) {
            if (octets[i] == '.' && (i == 0 || octets[i - 1] == '\n')) {
                output.write(octets, from, i - from);
                output.write('.');
                from = i;
            }
        }
        output.write(octets, from, octets.length - from);
    }

    /** Sends a line and returns the reply. */
    public String say(String line) throws IOException {
        write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        return reply();
    }

    /** Sends octets as they are. */
    public void write(byte[] octets) throws IOException {
        output.write(octets);
    }

    /** Sends ASCII as it is. */
    public void write(String octets) throws IOException {
        write(octets.getBytes(StandardCharsets.US_ASCII));
    }

    /** The next reply; empty if the server has closed the connection. */
    public String reply() throws IOException {
        StringBuilder reply = new StringBuilder();
        String line = line();
        while (line.length() > 3 && line.charAt(3) == '-') {
            reply.append(line).append('\n');
            line = line();
        }
        return reply.append(line).toString();
    }

    /** Whether the server has sent more than was read. */
    public boolean hasMore() throws IOException {
        return input.available() > 0;
    }

    /** The socket of this connection. */
    public Socket socket() {
        return socket;
    }

    /** A client on a connection after a TLS handshake. */
    public static SmtpClient over(Socket secured) throws IOException {
        return new SmtpClient(secured);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** @throws ProtocolException unless the reply starts with this code */
    public static void expect(String code, String reply) throws ProtocolException {
        if (!reply.startsWith(code)) {
            throw new ProtocolException("expected " + code + ", not " + reply);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int octet = input.read();
        while (octet >= 0 && octet != '\n') {
            line.append((char) octet);
            octet = input.read();
        }
        return line.toString().stripTrailing();
    }
}
