package dev.oneshot.api.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.SlowReader;
import dev.oneshot.api.TestMail;
import dev.oneshot.contracts.event.MailInbound;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory and duration of downloads whose clients do not read. */
class SlowReadersIT {

    private static final int READERS = 16;

    /** Half of the 8 MiB below, divided by twice a chunk of 256 KiB. */
    private static final int READERS_OF_A_SHARE = 8;

    /** Far more than the sockets' buffers hold. */
    private static final int OCTETS = 16 * 1024 * 1024;

    private static final String LINE = "a line of a mail that is as long as they may well be, and no longer.\n";

    private static Replica patient;
    private static Replica impatient;

    private record Mailbox(String key, String id, int rawBytes) {}

    @BeforeAll
    static void start() {
        patient = Replica.start(
                "patient", Map.of("ONESHOT_INBOX_READ_MEMORY", "8M", "ONESHOT_INBOX_READ_WAIT", "PT0.2S"));
        impatient = Replica.start(
                "impatient",
                Map.of(
                        // Enough for the first bytes of a service at its first request.
                        "ONESHOT_INBOX_READ_TIME", "PT15S", "ONESHOT_INBOX_READ_RATE_MIN", "64M"));
        patient.awaitReady();
        impatient.awaitReady();
    }

    @AfterAll
    static void stop() {
        patient.kill();
        impatient.kill();
    }

    @ParameterizedTest
    @ValueSource(strings = {"raw", "attachments/0"})
    void anAccountHoldsItsShareAndOthersGoOnReading(String part) throws IOException {
        Mailbox slow = mailbox();
        Mailbox other = mailbox();
        List<SlowReader> readers = new ArrayList<>();
        try {
            for (int i = 0; i < READERS; i++) {
                readers.add(request(patient, slow, part));
            }
            List<String> answers = new ArrayList<>();
            for (SlowReader reader : readers) {
                answers.add(reader.status());
            }

            assertThat(answers).filteredOn("HTTP/1.1 200"::equals).hasSize(READERS_OF_A_SHARE);
            assertThat(answers).filteredOn("HTTP/1.1 429"::equals).hasSize(READERS - READERS_OF_A_SHARE);
            assertThat(patient.send("GET", "/v1/addresses/" + other.id() + "/email/raw", other.key(), "")
                            .body())
                    .hasSize(other.rawBytes());
        } finally {
            for (SlowReader reader : readers) {
                reader.close();
            }
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(patient.metrics())
                        .containsPattern("oneshot_inbox_read_memory_reserved_bytes(\\{.*})? 0\\.0"));
    }

    @Test
    void whoeverTakesTooLongIsCutOff() throws IOException {
        Mailbox slow = mailbox();
        try (SlowReader reader = request(impatient, slow, "raw")) {
            assertThat(reader.status()).isEqualTo("HTTP/1.1 200");
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(impatient.metrics())
                            .containsPattern("oneshot_inbox_read_broken_off_total(\\{.*})? 1\\.0")
                            .containsPattern("oneshot_inbox_read_memory_reserved_bytes(\\{.*})? 0\\.0"));

            assertThat(reader.octetsUntilTheEnd()).isLessThan(slow.rawBytes());
        }
    }

    private static Mailbox mailbox() {
        String key = patient.customer("scale").key();
        String id = patient.address(key);
        MailInbound mail =
                TestMail.event(id, "Content-Type: application/pdf\n\n" + LINE.repeat(OCTETS / LINE.length()));
        TestMail.publish(Replica.Shared.KAFKA.bootstrapServers(), mail);
        patient.awaitReceived(id, key);
        return new Mailbox(key, id, mail.raw().length());
    }

    private static SlowReader request(Replica service, Mailbox mailbox, String part) throws IOException {
        return SlowReader.get(service.port(), "/v1/addresses/" + mailbox.id() + "/email/" + part, mailbox.key());
    }
}
