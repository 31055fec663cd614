package dev.oneshot.local.bench.ingest;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One SMTP connection, without Nagle's algorithm; each group of commands is one write. For one thread. */
final class SmtpClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(30).toMillis();
    private static final int LINE_MAX = 2048;

    private final Socket socket;
    private final BufferedInputStream in;
    private final OutputStream out;

    private SmtpClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), 4096);
        this.out = socket.getOutputStream();
    }

    /** Connects, and says who is calling. */
    static SmtpClient connect(int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), TIMEOUT_MILLIS);
            SmtpClient client = new SmtpClient(socket);
            client.expect(220);
            client.send("EHLO bench.example\r\n");
            client.expect(250);
            return client;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Hands over one message, waiting for each reply.
     *
     * @param content with the CRLF . CRLF at its end
     * @return whether it was taken; false if there was no room for it (4xx)
     * @throws ProtocolException at any other refusal
     */
    boolean deliver(String recipient, byte[] content) throws IOException {
        send(mail(content));
        if (!isOrLater(250)) {
            return false;
        }
        send("RCPT TO:<" + recipient + ">\r\n");
        expect(250);
        send("DATA\r\n");
        expect(354);
        out.write(content);
        return isOrLater(250);
    }

    /** As {@link #deliver}, with MAIL, RCPT and DATA in one write. */
    boolean deliverPipelined(String recipient, byte[] content) throws IOException {
        send(mail(content) + "RCPT TO:<" + recipient + ">\r\nDATA\r\n");
        boolean taken = isOrLater(250);
        if (!taken) {
            reply();
            reply();
            return false;
        }
        expect(250);
        expect(354);
        out.write(content);
        return isOrLater(250);
    }

    /** Says goodbye and waits for the answer. */
    void quit() throws IOException {
        send("QUIT\r\n");
        expect(221);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** With the size declared (RFC 1870), as mail servers do. */
    private static String mail(byte[] content) {
        return "MAIL FROM:<bench@sender.example> SIZE=" + content.length + "\r\n";
    }

    private void send(String commands) throws IOException {
        out.write(commands.getBytes(StandardCharsets.US_ASCII));
    }

    private void expect(int code) throws IOException {
        int reply = reply();
        if (reply != code) {
            throw new ProtocolException("expected " + code + ", not " + reply);
        }
    }

    /** Whether the reply is this one; false if the client is asked to come again later. */
    private boolean isOrLater(int code) throws IOException {
        int reply = reply();
        if (reply != code && (reply < 400 || reply > 499 || reply == 421)) {
            throw new ProtocolException("expected " + code + ", not " + reply);
        }
        return reply == code;
    }

    /** The code of the next reply, however many lines it has (RFC 5321 §4.2.1). */
    private int reply() throws IOException {
        while (true) {
            int code = 0;
            boolean last = true;
            int position = 0;
            int octet = in.read();
            while (octet != '\n') {
                if (octet < 0 || position > LINE_MAX) {
                    throw new ProtocolException("the connection ended within a reply");
                }
                if (position < 3) {
                    code = code * 10 + (octet - '0');
                } else if (position == 3) {
                    last = octet != '-';
                }
                position++;
                octet = in.read();
            }
            if (last) {
                return code;
            }
        }
    }
}
