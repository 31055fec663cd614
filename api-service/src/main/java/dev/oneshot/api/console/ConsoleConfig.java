package dev.oneshot.api.console;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the console. */
@ConfigMapping(prefix = "oneshot.console")
public interface ConsoleConfig {

    /** Whether {@code /console} serves the web page. If not, its paths are like any other that does not exist. */
    @WithDefault("true")
    boolean enabled();
}
