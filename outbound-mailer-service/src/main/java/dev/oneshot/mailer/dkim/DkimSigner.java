package dev.oneshot.mailer.dkim;

import static dev.oneshot.contracts.setting.ValidSetting.made;
import static dev.oneshot.contracts.setting.ValidSetting.require;

import dev.oneshot.mailer.compose.MimeEntity;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Adds a DKIM-Signature (RFC 6376), if a key is set. The signature has no time, so that a mail sent twice has the same
 * bytes.
 *
 * <p>Safe for use by many threads.
 */
@Singleton
public final class DkimSigner {

    private static final String KEY_FILE_SETTING = "oneshot.dkim.private-key-file";
    private static final int KEY_BITS_MIN = 1024;
    private static final Pattern BLANKS = Pattern.compile("[ \t]+");
    private static final Base64.Encoder FOLDED = Base64.getMimeEncoder(72, new byte[] {'\r', '\n', ' '});

    private final Optional<RSAPrivateKey> key;
    private final String selector;

    /** @throws io.quarkus.runtime.configuration.ConfigurationException naming the setting, if the key is invalid */
    DkimSigner(DkimConfig config) {
        require(
                config.privateKeyFile().isPresent() == config.selector().isPresent(),
                KEY_FILE_SETTING + " and oneshot.dkim.selector must be set together");
        this.key = config.privateKeyFile().map(file -> made(KEY_FILE_SETTING, () -> read(file)));
        this.selector = config.selector().orElse("");
    }

    private static RSAPrivateKey read(Path file) {
        try {
            String base64 = Files.readString(file, StandardCharsets.US_ASCII).replaceAll("-----[A-Z ]+-----|\\s", "");
            var spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64));
            var key = (RSAPrivateKey) KeyFactory.getInstance("RSA").generatePrivate(spec);
            if (key.getModulus().bitLength() < KEY_BITS_MIN) {
                throw new InvalidKeyException("the key has too few bits");
            }
            return key;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    file + " is not an RSA key of at least " + KEY_BITS_MIN + " bits in PKCS#8 PEM", e);
        }
    }

    /**
     * The message with a signature on top, which covers all its fields.
     *
     * @param from the sender, whose domain signs
     */
    public MimeEntity sign(MimeEntity message, String from) {
        return key.isEmpty() ? message : message.withFirst(signature(message, from, key.get()));
    }

    private String signature(MimeEntity message, String from, RSAPrivateKey key) {
        String domain = from.substring(from.lastIndexOf('@') + 1);
        List<String> signed =
                message.fields().stream().map(DkimSigner::canonical).toList();
        String names = signed.stream()
                .map(field -> field.substring(0, field.indexOf(':')))
                .collect(Collectors.joining(":"));
        try {
            String unsigned = "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/simple; d=" + domain + "; s=" + selector
                    + ";\r\n h=" + names + ";\r\n bh="
                    + Base64.getEncoder().encodeToString(SimpleBodyHash.of(message.body())) + ";\r\n b=";
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            for (String field : signed) {
                signature.update((field + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
            signature.update(canonical(unsigned).getBytes(StandardCharsets.UTF_8));
            return unsigned + FOLDED.encodeToString(signature.sign());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the DKIM key cannot sign", e);
        }
    }

    /** The relaxed canonical form of a field (RFC 6376 §3.4.2), without a CRLF at its end. */
    private static String canonical(String field) {
        int colon = field.indexOf(':');
        String value = field.substring(colon + 1).replace("\r\n", "");
        return field.substring(0, colon).strip().toLowerCase(Locale.ROOT) + ":"
                + BLANKS.matcher(value).replaceAll(" ").strip();
    }
}
