package dev.oneshot.api.http;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What the edge lets in. */
@ConfigMapping(prefix = "oneshot.http")
public interface HttpConfig {

    /**
     * The largest request body in octets; beyond it 413. Must lie above the largest plan's e-mail limit × 4/3, as
     * attachments come in base64, or clients see 413 where the contract says 422.
     */
    @WithDefault("48M")
    MemorySize bodyMax();

    /**
     * The most JSON tokens in a body. Bounds what a body of nothing but tiny members could cost; a request to send
     * with a hundred attachments has under a thousand.
     */
    @WithDefault("20000")
    int jsonTokensMax();
}
