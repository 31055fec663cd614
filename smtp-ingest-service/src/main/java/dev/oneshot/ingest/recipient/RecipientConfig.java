package dev.oneshot.ingest.recipient;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

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
     * How many closed addresses are remembered, at 11 to 16 octets each; the default fits the heap that ingest is started
     * with. Beyond, the refusal of a second mail comes from nobody and the mail is dropped after acceptance; the first
     * mail is safe in any case.
     */
    @WithDefault("1000000")
    int closedAddressesMax();

    /**
     * How often is looked whether {@code address.closed} got more partitions, at least PT0.1S. Until then a used
     * address of a new partition is not refused early.
     */
    @WithDefault("PT1M")
    Duration closedPartitionsRefresh();
}
