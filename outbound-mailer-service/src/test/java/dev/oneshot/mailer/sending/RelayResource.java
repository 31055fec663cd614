package dev.oneshot.mailer.sending;

import dev.oneshot.mailer.relay.TestCertificate;
import dev.oneshot.testing.ScriptedRelay;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;

/** A scripted relay for the service under test, with STARTTLS. The service trusts its certificate, and that of another host. */
public final class RelayResource implements QuarkusTestResourceLifecycleManager {

    private static final AtomicReference<ScriptedRelay> RELAY = new AtomicReference<>();
    private static final AtomicReference<SSLContext> OWN = new AtomicReference<>();
    private static final AtomicReference<SSLContext> OTHER = new AtomicReference<>();

    /** The relay, as it was at the start. */
    public static ScriptedRelay relay() {
        ScriptedRelay relay = RELAY.get();
        relay.setScript(new ScriptedRelay.Script() {});
        relay.encryptWith(OWN.get());
        return relay;
    }

    /** The certificate of the other host. */
    public static SSLContext otherCertificate() {
        return OTHER.get();
    }

    @Override
    public Map<String, String> start() {
        try {
            Path directory = Files.createTempDirectory("relay");
            TestCertificate own = TestCertificate.make(Files.createDirectory(directory.resolve("own")), "localhost");
            TestCertificate other =
                    TestCertificate.make(Files.createDirectory(directory.resolve("other")), "other.example.org");
            Path trusted = Files.writeString(
                    directory.resolve("trusted.pem"), Files.readString(own.pem()) + Files.readString(other.pem()));
            OWN.set(own.serverContext());
            OTHER.set(other.serverContext());
            RELAY.set(new ScriptedRelay(new ScriptedRelay.Script() {}, own.serverContext()));
            return Map.of(
                    "oneshot.relay.host", "localhost",
                    "oneshot.relay.port", Integer.toString(relay().port()),
                    "oneshot.relay.tls", "STARTTLS",
                    "oneshot.relay.trust-file", trusted.toString(),
                    "oneshot.relay.data-reply-timeout", "1m");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void stop() {
        try {
            RELAY.get().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
