package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Load;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client that sends the same content to the next recipient each time; each group of commands is one write. */
public final class SmtpLoad implements AutoCloseable {

    // Below the limit of a server for one connection.
    private static final int MESSAGES_PER_CONNECTION = 1000;

    private final int port;
    private final SmtpMode mode;
    private final byte[] content;
    private final Supplier<String> recipients;
    private @Nullable SmtpClient connection;
    private int messages;

    public SmtpLoad(int port, SmtpMode mode, byte[] content, Supplier<String> recipients) {
        this.port = port;
        this.mode = mode;
        this.content = content;
        this.recipients = recipients;
    }

    /** Sends to this port of 127.0.0.1; a 4xx reply counts as refused, any other rejection ends the measurement. */
    public static Load<SmtpLoad> of(
            int connections, int port, SmtpMode mode, byte[] content, Supplier<String> recipients) {
        return new Load<>(connections, () -> new SmtpLoad(port, mode, content, recipients), SmtpLoad::once);
    }

    /** Sends once; returns whether the message was accepted. */
    public boolean once() throws IOException {
        SmtpClient current = connection == null ? SmtpClient.greeted(port) : connection;
        connection = current;
        messages++;
        boolean accepted = deliver(current);
        if (mode == SmtpMode.ONE || messages == MESSAGES_PER_CONNECTION) {
            SmtpClient.expect("221", current.say("QUIT"));
            close();
        }
        return accepted;
    }

    @Override
    public void close() throws IOException {
        if (connection != null) {
            connection.close();
        }
        connection = null;
        messages = 0;
    }

    private boolean deliver(SmtpClient to) throws IOException {
        // Declares the size (RFC 1870), as mail servers do.
        String mail = "MAIL FROM:<bench@sender.example> SIZE=" + content.length + "\r\n";
        String rcpt = "RCPT TO:<" + recipients.get() + ">\r\n";
        boolean pipelined = mode == SmtpMode.PIPELINED;
        to.write(pipelined ? mail + rcpt + "DATA\r\n" : mail);
        if (!isAccepted(to.reply())) {
            if (pipelined) {
                to.reply();
                to.reply();
            }
            return false;
        }
        to.write(pipelined ? "" : rcpt);
        SmtpClient.expect("250", to.reply());
        to.write(pipelined ? "" : "DATA\r\n");
        SmtpClient.expect("354", to.reply());
        to.write(content);
        return isAccepted(to.reply());
    }

    /** Returns true for 250, and false for a 4xx reply after which the connection stays open. */
    private static boolean isAccepted(String reply) throws IOException {
        boolean refused = reply.startsWith("4") && !reply.startsWith("421");
        if (!refused) {
            SmtpClient.expect("250", reply);
        }
        return !refused;
    }
}
