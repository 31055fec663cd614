package dev.oneshot.api.address;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.util.List;

/** The domains of addresses, how ids are signed, and bounds of deletions. */
@ConfigMapping(prefix = "oneshot")
public interface AddressConfig {

    /** The domain of receive-mode addresses; the ingest nodes have the same. */
    @WithDefault("in.oneshot.localhost")
    String receiveDomain();

    /** The domain of send-mode addresses. */
    @WithDefault("out.oneshot.localhost")
    String sendDomain();

    /**
     * The secrets that sign address ids and list cursors, base64 of at least 32 bytes each; the first signs, all
     * verify. The ingest nodes must have the same list, or they reject every mail.
     */
    @WithName("address.keys")
    List<String> addressKeys();

    /**
     * How many addresses a bulk deletion removes in one transaction, 1 to 10,000. Requests for these addresses wait until it ends.
     */
    @WithName("address.delete-batch")
    @WithDefault("1000")
    int deleteBatch();

    /**
     * How many bytes of mail a bulk deletion removes in one transaction; a larger mail is removed alone. With large
     * mails, this bound keeps a transaction below the statement timeout.
     */
    @WithName("address.delete-batch-bytes")
    @WithDefault("64M")
    MemorySize deleteBatchBytes();
}
