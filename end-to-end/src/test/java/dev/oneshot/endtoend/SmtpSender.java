package dev.oneshot.endtoend;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A connection of a sending MTA: it pipelines commands, sends several mails, and reports a lost connection by an
 * {@link IOException}.
 */
final class SmtpSender implements AutoCloseable {

    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(60);

    private final Socket socket;
    private final BufferedReader replies;
    private final OutputStream output;

    private SmtpSender(Socket socket) throws IOException {
        this.socket = socket;
        this.replies = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        this.output = socket.getOutputStream();
    }

    /** @throws IOException if the node is down or accepts no mail now */
    static SmtpSender connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(REPLY_TIMEOUT.toMillis()));
            SmtpSender sender = new SmtpSender(socket);
            sender.expect("220");
            sender.write("EHLO client.example\r\n");
            sender.expect("250");
            return sender;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends a mail and returns the reply that settles it: the reply to the content, or an earlier refusal. */
    String send(String addressId, byte[] octets) throws IOException {
        write("MAIL FROM:<ada@example.org>\r\nRCPT TO:<" + addressId + "@in.oneshot.localhost>\r\nDATA\r\n");
        String mail = reply();
        String rcpt = reply();
        String data = reply();
        if (!data.startsWith("354")) {
            write("RSET\r\n");
            expect("250");
            return refusal(mail, rcpt, data);
        }
        output.write(stuffed(octets));
        write(".\r\n");
        return reply();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Dot-stuffs a message (RFC 5321 §4.5.2); each character of the text is an octet. */
    private static byte[] stuffed(byte[] message) {
        if (!hasLeadingDot(message)) {
            return message;
        }
        return ("\r\n" + new String(message, StandardCharsets.ISO_8859_1))
                .replace("\r\n.", "\r\n..")
                .substring(2)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean hasLeadingDot(byte[] message) {
        for (int i = 0; i < message.length; i++) {
            if (message[i] == '.' && (i == 0 || message[i - 1] == '\n')) {
                return true;
            }
        }
        return false;
    }

    private static String refusal(String... replies) {
        for (String reply : replies) {
            if (!reply.startsWith("250")) {
                return reply;
            }
        }
        throw new IllegalStateException("nothing was refused");
    }

    private void write(String commands) throws IOException {
        output.write(commands.getBytes(StandardCharsets.US_ASCII));
    }

    private void expect(String code) throws IOException {
        String reply = reply();
        if (!reply.startsWith(code)) {
            throw new IOException("not " + code + " but " + reply);
        }
    }

    private String reply() throws IOException {
        String line = replies.readLine();
        while (line != null && line.startsWith("-", 3)) {
            line = replies.readLine();
        }
        if (line == null || line.length() < 3) {
            throw new EOFException("the connection is lost");
        }
        return line;
    }
}
