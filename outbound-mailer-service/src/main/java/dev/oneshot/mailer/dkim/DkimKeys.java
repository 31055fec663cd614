package dev.oneshot.mailer.dkim;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;

/** Reads the key. A bad one stops the start. */
@Singleton
class DkimKeys {

    private static final int KEY_BITS_MIN = 1024;

    @Produces
    @Singleton
    Optional<DkimSigner> signer(DkimConfig config) {
        if (config.privateKeyFile().isEmpty() && config.selector().isEmpty()) {
            return Optional.empty();
        }
        Path file = config.privateKeyFile()
                .orElseThrow(() -> new IllegalArgumentException(
                        "oneshot.dkim.selector is set, oneshot.dkim.private-key-file is not"));
        String selector = config.selector()
                .orElseThrow(() -> new IllegalArgumentException(
                        "oneshot.dkim.private-key-file is set, oneshot.dkim.selector is not"));
        return Optional.of(new DkimSigner(read(file), selector));
    }

    private static RSAPrivateCrtKey read(Path file) {
        try {
            String base64 = Files.readString(file, StandardCharsets.US_ASCII).replaceAll("-----[A-Z ]+-----|\\s", "");
            var spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64));
            if (KeyFactory.getInstance("RSA").generatePrivate(spec) instanceof RSAPrivateCrtKey key
                    && key.getModulus().bitLength() >= KEY_BITS_MIN) {
                return key;
            }
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(message(file), e);
        }
        throw new IllegalArgumentException(message(file));
    }

    private static String message(Path file) {
        return "oneshot.dkim.private-key-file: " + file + " is no RSA key of at least " + KEY_BITS_MIN
                + " bits as PKCS#8 in PEM";
    }
}
