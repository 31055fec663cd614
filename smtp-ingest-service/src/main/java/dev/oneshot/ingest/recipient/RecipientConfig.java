package dev.oneshot.ingest.recipient;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Which recipients are ours. */
@ConfigMapping(prefix = "oneshot.recipient")
public interface RecipientConfig {

    /**
     * The domain of receive-mode addresses, by default {@code oneshot.receive-domain} as for every service. Mail for
     * any other is refused, so when this differs from what api-service hands out, nothing is received at all.
     */
    @WithDefault("${oneshot.receive-domain:in.oneshot.localhost}")
    String domain();

    /**
     * How many closed addresses are remembered, at 11 to 16 octets each. Beyond, the refusal of a second mail comes
     * from nobody and the mail is dropped after acceptance; the first mail is safe in any case.
     */
    @WithDefault("4000000")
    int closedAddressesMax();
}
