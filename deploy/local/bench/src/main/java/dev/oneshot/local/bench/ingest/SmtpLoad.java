package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Load;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A worker that hands over the same content again and again, to an address of its own each time. */
public final class SmtpLoad implements Load.Worker {

    // Below what a server allows on one connection.
    private static final int MESSAGES_A_CONNECTION = 1000;

    private final int port;
    private final SmtpMode mode;
    private final byte[] content;
    private final Supplier<String> recipients;
    private @Nullable SmtpClient kept;
    private int messages;

    public SmtpLoad(int port, SmtpMode mode, byte[] content, Supplier<String> recipients) {
        this.port = port;
        this.mode = mode;
        this.content = content;
        this.recipients = recipients;
    }

    @Override
    public boolean once() throws IOException {
        return switch (mode) {
            case ONE -> {
                try (SmtpClient client = SmtpClient.connect(port)) {
                    boolean taken = client.deliver(recipients.get(), content);
                    client.quit();
                    yield taken;
                }
            }
            case KEPT -> kept().deliver(recipients.get(), content);
            case PIPELINED -> kept().deliverPipelined(recipients.get(), content);
        };
    }

    @Override
    public void close() throws IOException {
        if (kept != null) {
            kept.close();
        }
    }

    private SmtpClient kept() throws IOException {
        SmtpClient client = kept;
        if (client == null || messages == MESSAGES_A_CONNECTION) {
            if (client != null) {
                client.quit();
                client.close();
            }
            client = SmtpClient.connect(port);
            kept = client;
            messages = 0;
        }
        messages++;
        return client;
    }
}
