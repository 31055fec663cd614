package dev.oneshot.api.auth;

import io.smallrye.config.ConfigMapping;
import java.util.List;

/** How API keys are signed. */
@ConfigMapping(prefix = "oneshot.api-key")
public interface ApiKeyConfig {

    /**
     * The secrets that sign API keys, base64 of at least 32 bytes each; the first signs, all verify. Every replica has
     * the same list. A key whose secret is missing from it is 401.
     */
    List<String> secrets();
}
