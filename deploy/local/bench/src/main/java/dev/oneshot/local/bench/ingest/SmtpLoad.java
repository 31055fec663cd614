package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Load;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A worker that sends the same content to the next recipient each time; each group of commands is one write. */
public final class SmtpLoad implements Load.Worker {

    // Below the limit of a server for one connection.
    private static final int MESSAGES_PER_CONNECTION = 1000;
    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(30).toMillis();

    private final int port;
    private final SmtpMode mode;
    private final byte[] content;
    private final Supplier<String> recipients;
    private @Nullable Connection connection;
    private int messages;

    SmtpLoad(int port, SmtpMode mode, byte[] content, Supplier<String> recipients) {
        this.port = port;
        this.mode = mode;
        this.content = content;
        this.recipients = recipients;
    }

    /** Sends to this port of 127.0.0.1; a 4xx reply counts as refused, any other rejection ends the measurement. */
    public static Load of(int connections, int port, SmtpMode mode, byte[] content, Supplier<String> recipients) {
        return Load.of(connections, () -> new SmtpLoad(port, mode, content, recipients));
    }

    @Override
    public boolean once() throws IOException {
        Connection current = connection == null ? new Connection(port) : connection;
        connection = current;
        messages++;
        boolean accepted = deliver(current);
        if (mode == SmtpMode.ONE || messages == MESSAGES_PER_CONNECTION) {
            current.exchange("QUIT\r\n", 221);
            close();
        }
        return accepted;
    }

    @Override
    public void close() throws IOException {
        if (connection != null) {
            connection.socket.close();
        }
        connection = null;
        messages = 0;
    }

    private boolean deliver(Connection to) throws IOException {
        // Declares the size (RFC 1870), as mail servers do.
        String mail = "MAIL FROM:<bench@sender.example> SIZE=" + content.length + "\r\n";
        String rcpt = "RCPT TO:<" + recipients.get() + ">\r\n";
        boolean pipelined = mode == SmtpMode.PIPELINED;
        to.send(pipelined ? mail + rcpt + "DATA\r\n" : mail);
        if (!to.isAccepted()) {
            if (pipelined) {
                to.reply();
                to.reply();
            }
            return false;
        }
        to.exchange(pipelined ? "" : rcpt, 250);
        to.exchange(pipelined ? "" : "DATA\r\n", 354);
        to.socket.getOutputStream().write(content);
        return to.isAccepted();
    }

    private static final class Connection {

        private final Socket socket;
        private final BufferedReader in;

        Connection(int port) throws IOException {
            this.socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            exchange("", 220);
            exchange("EHLO bench.example\r\n", 250);
        }

        void send(String commands) throws IOException {
            socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
        }

        /** Sends commands, if any, and reads one reply. */
        void exchange(String commands, int expected) throws IOException {
            if (!commands.isEmpty()) {
                send(commands);
            }
            int reply = reply();
            if (reply != expected) {
                throw new ProtocolException("expected " + expected + ", not " + reply);
            }
        }

        /** Returns true for 250, and false for a 4xx reply after which the connection stays open. */
        boolean isAccepted() throws IOException {
            int reply = reply();
            if (reply != 250 && (reply < 400 || reply > 499 || reply == 421)) {
                throw new ProtocolException("expected 250, not " + reply);
            }
            return reply == 250;
        }

        /** The code of the next reply, which may have several lines (RFC 5321 §4.2.1). */
        int reply() throws IOException {
            while (true) {
                String line = in.readLine();
                if (line == null) {
                    throw new EOFException("the connection ended within a reply");
                }
                if (line.length() == 3 || line.charAt(3) != '-') {
                    return Integer.parseInt(line.substring(0, 3));
                }
            }
        }
    }
}
