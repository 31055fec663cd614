package dev.oneshot.api.operator;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** Access to the operator API. */
@ConfigMapping(prefix = "oneshot.operator")
public interface OperatorConfig {

    /** The bearer token of the operator, at least 16 characters; without one the operator API does not exist. */
    Optional<String> token();
}
