package dev.oneshot.ingest.recipient;

import io.smallrye.config.ConfigMapping;
import java.util.List;

/** The keys of address ids. */
@ConfigMapping(prefix = "oneshot.address")
public interface AddressKeyConfig {

    /**
     * The secrets that verify address ids, in base64, at least 32 bytes each, separated by commas; the same as
     * api-service's. An id signed with another key is unknown. Without any the service does not start.
     */
    List<String> keys();
}
