package dev.oneshot.mailer.dkim;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/** DKIM. Mails are signed if both key and selector are set; setting only one stops the start. */
@ConfigMapping(prefix = "oneshot.dkim")
public interface DkimConfig {

    /** The file of the private RSA key, at least 1024 bits, as PKCS#8 in PEM. */
    Optional<Path> privateKeyFile();

    /** The selector of the key. DNS has the public key at {@code <selector>._domainkey.<domain>}. */
    Optional<String> selector();
}
