package dev.oneshot.ingest.recipient;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.util.List;

/** Which recipients are ours. */
@ConfigMapping(prefix = "oneshot")
public interface RecipientConfig {

    /**
     * The domain of receive-mode addresses. Mail for any other is refused, so when this differs from what api-service
     * hands out, nothing is received at all.
     */
    @WithDefault("in.oneshot.localhost")
    String receiveDomain();

    /**
     * The secrets that address ids are verified with, in base64, at least 32 octets each; the same as api-service's.
     * An id signed with a key that is not here is unknown.
     */
    @WithName("address.keys")
    List<String> addressKeys();

    /**
     * How many closed addresses are remembered, at 11 to 16 octets each. Beyond, the refusal of a second mail comes
     * from nobody and the mail is dropped after acceptance; the first mail is safe in any case.
     */
    @WithName("recipient.closed-addresses-max")
    @WithDefault("4000000")
    int closedAddressesMax();
}
