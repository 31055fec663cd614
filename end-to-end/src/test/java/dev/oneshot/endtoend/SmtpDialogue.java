package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** An SMTP client that sends exactly what the test says. */
final class SmtpDialogue implements AutoCloseable {

    private static final Duration REPLY_TIMEOUT = Duration.ofMinutes(2);

    private final Socket socket;
    private final InputStream input;
    private final OutputStream output;

    private SmtpDialogue(Socket socket) throws IOException {
        this.socket = socket;
        this.input = new BufferedInputStream(socket.getInputStream());
        this.output = new BufferedOutputStream(socket.getOutputStream(), 64 * 1024);
    }

    /** Connects and sends EHLO. */
    static SmtpDialogue open(LocalStack stack) throws IOException {
        return open(stack.settings().port(Port.SMTP));
    }

    /** As {@link #open(LocalStack)}, to the ingest node on this port. */
    static SmtpDialogue open(int port) throws IOException {
        SmtpDialogue dialogue = connect(port);
        assertThat(dialogue.reply()).startsWith("220");
        assertThat(dialogue.say("EHLO client.example")).startsWith("250");
        return dialogue;
    }

    /** The greeting of the ingest node on this port. */
    static String greeting(int port) throws IOException {
        try (SmtpDialogue dialogue = connect(port)) {
            return dialogue.reply();
        }
    }

    private static SmtpDialogue connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
        socket.setSoTimeout(Math.toIntExact(REPLY_TIMEOUT.toMillis()));
        return new SmtpDialogue(socket);
    }

    /** Sends one mail on a new connection. Returns the first reply that is not a success, or the last reply. */
    static String send(LocalStack stack, String addressId, byte[] message) throws IOException {
        try (SmtpDialogue dialogue = open(stack)) {
            String reply = dialogue.begin(addressId);
            if (!reply.startsWith("354")) {
                return reply;
            }
            dialogue.content(message);
            reply = dialogue.say(".");
            if (reply.startsWith("250")) {
                // Shows that the reply was received. A client that only closes may send the same mail again.
                dialogue.say("QUIT");
            }
            return reply;
        }
    }

    /** Sends MAIL, RCPT and DATA; returns the first reply that is a refusal, or the 354. */
    String begin(String addressId) throws IOException {
        assertThat(say("MAIL FROM:<ada@example.org>")).startsWith("250");
        String reply = say("RCPT TO:<" + addressId + "@in.oneshot.localhost>");
        return reply.startsWith("250") ? say("DATA") : reply;
    }

    /** Sends content of a message, dot-stuffed (RFC 5321 §4.5.2). */
    void content(byte[] octets) throws IOException {
        boolean atLineStart = true;
        for (byte octet : octets) {
            if (atLineStart && octet == '.') {
                output.write('.');
            }
            output.write(octet);
            atLineStart = octet == '\n';
        }
        output.flush();
    }

    /** Sends a line and returns the last line of the reply. */
    String say(String line) throws IOException {
        output.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        output.flush();
        return reply();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** Waits for the next reply and returns its last line. */
    String reply() throws IOException {
        String line = line();
        while (line.length() > 3 && line.charAt(3) == '-') {
            line = line();
        }
        return line;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int octet = input.read();
        while (octet >= 0 && octet != '\n') {
            line.append((char) octet);
            octet = input.read();
        }
        return line.toString().strip();
    }
}
