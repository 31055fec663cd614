package dev.oneshot.ingest;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client that says exactly what it is told to, and reads one reply at a time. */
public final class SmtpTestClient implements Closeable {

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private final Socket socket;
    private final InputStream input;
    private final OutputStream output;

    private SmtpTestClient(Socket socket) throws IOException {
        this.socket = socket;
        this.input = new BufferedInputStream(socket.getInputStream());
        this.output = socket.getOutputStream();
    }

    /** Connects, and does not read the greeting. */
    public static SmtpTestClient connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(Math.toIntExact(READ_TIMEOUT.toMillis()));
        return new SmtpTestClient(socket);
    }

    /** Connects, reads the greeting and says EHLO. */
    public static SmtpTestClient greeted(int port) throws IOException {
        SmtpTestClient client = connect(port);
        client.reply();
        client.say("EHLO client.example");
        return client;
    }

    /** Says a line and returns the reply. */
    public String say(String line) throws IOException {
        write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        return reply();
    }

    /** Writes octets as they are. */
    public void write(byte[] octets) throws IOException {
        output.write(octets);
        output.flush();
    }

    /** Sends MAIL, RCPT and DATA, then a message that needs no dot-stuffing, and returns the reply to its end. */
    public String send(String recipient, byte[] message) throws IOException {
        say("MAIL FROM:<sender@example.org>");
        String reply = say("RCPT TO:<" + recipient + ">");
        if (!reply.startsWith("250")) {
            return reply;
        }
        reply = say("DATA");
        if (!reply.startsWith("354")) {
            return reply;
        }
        write(message);
        return say(".");
    }

    /** The next reply, its lines joined with LF; empty once the server has closed the connection. */
    public String reply() throws IOException {
        StringBuilder reply = new StringBuilder();
        String line = line();
        while (line.length() > 3 && line.charAt(3) == '-') {
            reply.append(line).append('\n');
            line = line();
        }
        return reply.append(line).toString();
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

    /** The socket under this. */
    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
