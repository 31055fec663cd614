package dev.oneshot.mailer.sending;

import dev.oneshot.mailer.relay.RelayCertificates;
import dev.oneshot.testing.ScriptedRelay;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;

/** A scripted relay for the service under test, with STARTTLS. The service trusts its certificate, and that of another host. */
public final class RelayResource implements QuarkusTestResourceLifecycleManager {

    private static final AtomicReference<ScriptedRelay> RELAY = new AtomicReference<>();
    private static final AtomicReference<RelayCertificates> CERTIFICATES = new AtomicReference<>();

    /** The relay, as it was at the start. */
    public static ScriptedRelay relay() {
        ScriptedRelay relay = RELAY.get();
        relay.setScript(ScriptedRelay.FRIENDLY);
        relay.encryptWith(CERTIFICATES.get().own());
        return relay;
    }

    /** The certificate of the other host. */
    public static SSLContext otherCertificate() {
        return CERTIFICATES.get().other();
    }

    @Override
    public Map<String, String> start() {
        try {
            RelayCertificates certificates = RelayCertificates.make(Files.createTempDirectory("relay"));
            CERTIFICATES.set(certificates);
            RELAY.set(new ScriptedRelay(ScriptedRelay.FRIENDLY, certificates.own()));
            return Map.of(
                    "oneshot.relay.host", "localhost",
                    "oneshot.relay.port", Integer.toString(relay().port()),
                    "oneshot.relay.tls", "STARTTLS",
                    "oneshot.relay.trust-file", certificates.trusted().toString(),
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
