package dev.oneshot.mailer.dkim;

import static dev.oneshot.contracts.setting.ValidSetting.require;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;

/** Reads the key. A bad one stops the start. */
@Singleton
class DkimKeys {

    private static final String KEY_FILE_SETTING = "oneshot.dkim.private-key-file";
    private static final int KEY_BITS_MIN = 1024;

    @Produces
    @Singleton
    Optional<DkimSigner> signer(DkimConfig config) {
        Optional<Path> file = config.privateKeyFile();
        require(
                file.isPresent() == config.selector().isPresent(),
                KEY_FILE_SETTING + " and oneshot.dkim.selector must be set together");
        return file.map(path -> new DkimSigner(read(path), config.selector().orElseThrow()));
    }

    private static RSAPrivateKey read(Path file) {
        try {
            String base64 = Files.readString(file, StandardCharsets.US_ASCII).replaceAll("-----[A-Z ]+-----|\\s", "");
            var spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64));
            var key = (RSAPrivateKey) KeyFactory.getInstance("RSA").generatePrivate(spec);
            require(key.getModulus().bitLength() >= KEY_BITS_MIN, "the key has too few bits");
            return key;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            String wanted = " is not an RSA key of at least " + KEY_BITS_MIN + " bits in PKCS#8 PEM";
            throw new IllegalArgumentException(KEY_FILE_SETTING + ": " + file + wanted, e);
        }
    }
}
