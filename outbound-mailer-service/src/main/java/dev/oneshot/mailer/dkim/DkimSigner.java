package dev.oneshot.mailer.dkim;

import dev.oneshot.mailer.compose.ComposedMail;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Adds a DKIM-Signature (RFC 6376) for the domain of the From field. The signature has no time, so that a mail sent
 * twice has the same bytes.
 *
 * <p>Safe for use by many threads.
 */
public final class DkimSigner {

    private static final Pattern BLANKS = Pattern.compile("[ \t]+");
    /** A full line of the signature that is not its last. */
    private static final Pattern SIGNATURE_LINE = Pattern.compile(".{72}(?=.)");

    private final RSAPrivateKey key;
    private final String selector;

    public DkimSigner(RSAPrivateKey key, String selector) {
        this.key = key;
        this.selector = selector;
    }

    /** The mail with a signature of all its fields on top. */
    public ComposedMail sign(ComposedMail mail) {
        String domain = mail.reversePath().substring(mail.reversePath().lastIndexOf('@') + 1);
        List<String> signed = mail.fields().stream().map(DkimSigner::canonical).toList();
        String names = signed.stream()
                .map(field -> field.substring(0, field.indexOf(':')))
                .collect(Collectors.joining(":"));
        try {
            String unsigned = "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/simple; d=" + domain + "; s=" + selector
                    + ";\r\n h=" + names + ";\r\n bh=" + base64(SimpleBodyHash.of(mail.body())) + ";\r\n b=";
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            for (String field : signed) {
                signature.update((field + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
            signature.update(canonical(unsigned).getBytes(StandardCharsets.UTF_8));
            return mail.withFirst(
                    unsigned + SIGNATURE_LINE.matcher(base64(signature.sign())).replaceAll("$0\r\n "));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the DKIM key cannot sign", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The relaxed canonical form of a field (RFC 6376 §3.4.2), without a CRLF at its end. */
    private static String canonical(String field) {
        int colon = field.indexOf(':');
        String value = field.substring(colon + 1).replace("\r\n", "");
        return field.substring(0, colon).strip().toLowerCase(Locale.ROOT) + ":"
                + BLANKS.matcher(value).replaceAll(" ").strip();
    }

    private static String base64(byte[] octets) {
        return Base64.getEncoder().encodeToString(octets);
    }
}
