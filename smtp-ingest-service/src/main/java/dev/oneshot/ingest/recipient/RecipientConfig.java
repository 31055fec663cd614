package dev.oneshot.ingest.recipient;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Which recipients are accepted. */
@ConfigMapping(prefix = "oneshot.recipient")
public interface RecipientConfig {

    /**
     * The domain of receive-mode addresses, by default {@code oneshot.receive-domain} as in every service. Mail for
     * other domains is rejected, so if this differs from api-service's domain, no mail is received.
     */
    @WithDefault("${oneshot.receive-domain:in.oneshot.localhost}")
    String domain();

    /**
     * The domain of send-mode addresses, by default {@code oneshot.send-domain} as in every service. If this differs
     * from api-service's domain, bounces of sent mail are rejected.
     */
    @WithDefault("${oneshot.send-domain:out.oneshot.localhost}")
    String sendDomain();

    /**
     * How many closed addresses are remembered, at 11 to 16 bytes each; the default fits the default heap of ingest.
     * Beyond, a second mail is accepted, then dropped; the first mail stays safe.
     */
    @WithDefault("1000000")
    int closedAddressesMax();
}
