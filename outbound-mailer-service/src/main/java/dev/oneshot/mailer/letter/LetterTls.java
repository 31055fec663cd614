package dev.oneshot.mailer.letter;

import dev.oneshot.mailer.relay.RelayConfig.TlsMode;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Derives quarkus-mailer's TLS settings from {@code oneshot.relay.tls}, ignoring case. */
public final class LetterTls implements ConfigSourceFactory {

    /** Below all other sources, so that explicit settings of quarkus-mailer win. */
    private static final int ORDINAL = 0;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue mode = context.getValue("oneshot.relay.tls");
        // The start rejects an unknown mode.
        String name = mode.getValue() == null
                ? TlsMode.STARTTLS.name()
                : mode.getValue().strip().toUpperCase(Locale.ROOT);
        String startTls = name.equals(TlsMode.STARTTLS.name()) ? "REQUIRED" : "DISABLED";
        String tls = Boolean.toString(name.equals(TlsMode.IMPLICIT.name()));
        Map<String, String> settings = Map.of("quarkus.mailer.start-tls", startTls, "quarkus.mailer.tls", tls);
        return List.of(new PropertiesConfigSource(settings, "oneshot.relay.tls", ORDINAL));
    }
}
