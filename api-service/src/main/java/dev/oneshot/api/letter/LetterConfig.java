package dev.oneshot.api.letter;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** The service's own letters. */
@ConfigMapping(prefix = "oneshot.letters")
public interface LetterConfig {

    /** The mailbox that letters to accounts come from, in ASCII; without it none are sent. */
    Optional<String> sender();
}
