package dev.oneshot.mailer.sending;

import dev.oneshot.testing.ScriptedRelay;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** A scripted relay for the service under test. */
public final class RelayResource implements QuarkusTestResourceLifecycleManager {

    private static final AtomicReference<ScriptedRelay> RELAY = new AtomicReference<>();

    /** The relay. */
    public static ScriptedRelay relay() {
        return RELAY.get();
    }

    @Override
    public Map<String, String> start() {
        RELAY.set(new ScriptedRelay(new ScriptedRelay.Script() {}));
        return Map.of(
                "oneshot.relay.port", Integer.toString(relay().port()),
                "oneshot.relay.tls", "NONE",
                "oneshot.relay.data-reply-timeout", "1m");
    }

    @Override
    public void stop() {
        try {
            relay().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
