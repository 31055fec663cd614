package dev.oneshot.mailer.dkim;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/** DKIM. Mails are signed when both the key and the selector are set; setting one alone stops the start. */
@ConfigMapping(prefix = "oneshot.dkim")
public interface DkimConfig {

    /** A file with the private RSA key, at least 1024 bits, as PKCS#8 in PEM. */
    Optional<Path> privateKeyFile();

    /** Which of the domain's keys that is: its public half is in DNS at {@code <selector>._domainkey.<domain>}. */
    Optional<String> selector();
}
