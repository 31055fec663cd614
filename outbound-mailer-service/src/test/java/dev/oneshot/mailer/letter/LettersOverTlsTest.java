package dev.oneshot.mailer.letter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.event.LetterRequested;
import dev.oneshot.contracts.event.LetterRequested.Kind;
import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.mailer.relay.RelayResult;
import dev.oneshot.mailer.relay.TestCertificate;
import dev.oneshot.testing.ScriptedRelay;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Letters to a relay with STARTTLS. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
@WithTestResource(LettersOverTlsTest.TlsRelay.class)
class LettersOverTlsTest {

    private static final AtomicReference<ScriptedRelay> RELAY = new AtomicReference<>();
    private static final AtomicReference<TestCertificate> OWN = new AtomicReference<>();
    private static final AtomicReference<TestCertificate> OTHER = new AtomicReference<>();

    private final Letters letters;
    private final ScriptedRelay relay = RELAY.get();
    private final String id = "letter-" + UUID.randomUUID();

    LettersOverTlsTest(Letters letters) {
        this.letters = letters;
    }

    private static final class OffersStartTls implements ScriptedRelay.Script {
        @Override
        public String hello() {
            return "250-relay.example.org\r\n250 STARTTLS";
        }
    }

    /** A relay at {@code localhost}. The service trusts its certificate, and that of another host. */
    public static final class TlsRelay implements QuarkusTestResourceLifecycleManager {

        private final ScriptedRelay relay = new ScriptedRelay(new OffersStartTls());

        @Override
        public Map<String, String> start() {
            RELAY.set(relay);
            try {
                Path directory = Files.createTempDirectory("relay");
                OWN.set(TestCertificate.make(Files.createDirectory(directory.resolve("own")), "localhost"));
                OTHER.set(TestCertificate.make(Files.createDirectory(directory.resolve("other")), "other.example.org"));
                Path trusted = Files.writeString(
                        directory.resolve("trusted.pem"),
                        Files.readString(OWN.get().pem())
                                + Files.readString(OTHER.get().pem()));
                return Map.of(
                        "oneshot.relay.host",
                        "localhost",
                        "oneshot.relay.port",
                        Integer.toString(relay.port()),
                        "oneshot.relay.tls",
                        "STARTTLS",
                        "oneshot.relay.trust-file",
                        trusted.toString());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void stop() {
            try {
                relay.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void aTrustedRelayGetsTheLetterEncrypted() {
        assertThat(sendTo(OWN.get())).isInstanceOf(RelayResult.Relayed.class);

        assertThat(taken()).hasSize(1);
        assertThat(relay.commands()).contains("STARTTLS");
    }

    @Test
    void aRelayWithTheCertificateOfAnotherHostGetsNoLetter() {
        assertThat(sendTo(OTHER.get())).isEqualTo(new RelayResult.Failed(Failure.CONNECTION, null));

        assertThat(taken()).isEmpty();
    }

    @Test
    void aRelayWithoutStarttlsGetsNoLetter() {
        relay.setScript(new ScriptedRelay.Script() {});
        try {
            assertThat(sendTo(OWN.get())).isEqualTo(new RelayResult.Failed(Failure.CONNECTION, null));
        } finally {
            relay.setScript(new OffersStartTls());
        }

        assertThat(taken()).isEmpty();
    }

    private RelayResult sendTo(TestCertificate certificate) {
        relay.encryptWith(certificate.serverContext());
        LetterRequested letter = new LetterRequested(
                id,
                Kind.KEY_REPLACED,
                "service@example.org",
                "ops@example.com",
                "Example",
                0,
                0,
                null,
                Instant.EPOCH,
                Instant.EPOCH);
        return CompletableFuture.supplyAsync(() -> letters.send(letter), Thread::startVirtualThread)
                .join();
    }

    private List<ScriptedRelay.Mail> taken() {
        return relay.taken().stream().filter(mail -> mail.data().contains(id)).toList();
    }
}
