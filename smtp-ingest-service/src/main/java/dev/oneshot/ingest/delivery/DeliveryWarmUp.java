package dev.oneshot.ingest.delivery;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Reads and encodes a sample message before the node is ready. Otherwise the first message would block an event loop
 * for some tenths of a second, while classes are loaded and tables of charsets are built.
 */
@Singleton
final class DeliveryWarmUp {

    private static final byte[] MESSAGE = """
            From: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?= <first@example.org>
            Subject: =?windows-1252?Q?caf=E9?=
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/plain; charset=iso-8859-1
            Content-Transfer-Encoding: quoted-printable

            caf=E9
            --b
            Content-Type: application/pdf
            Content-Disposition: attachment; filename*=utf-8''caf%C3%A9.pdf
            Content-Transfer-Encoding: base64

            JVBERg==
            --b--
            """.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);

    private volatile boolean read;

    void start(@Observes StartupEvent event) {
        Thread.ofVirtual().name("first-message").start(() -> {
            Octets raw = Octets.of(MESSAGE);
            EventCodec.encode(new MailInbound(
                    "",
                    "",
                    Instant.EPOCH,
                    MessageReader.read(MESSAGE, 0, MESSAGE.length, MessageLimits.DEFAULTS),
                    raw));
            read = true;
        });
    }

    /** Whether the warm-up is done. */
    boolean isRead() {
        return read;
    }
}
