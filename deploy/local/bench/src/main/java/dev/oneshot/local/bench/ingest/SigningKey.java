package dev.oneshot.local.bench.ingest;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Base64;
import java.util.Locale;

/** An RSA key of 2,048 bits that signs sample messages (DKIM, RFC 6376). */
final class SigningKey {

    private static final int BITS = 2048;
    private static final int TEXT_CHARACTERS_MAX = 255;
    private static final String END = ".\r\n";
    private static final String SIGNED = "from:to:subject:date:message-id";

    private final KeyPair keys;

    SigningKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(BITS);
        this.keys = generator.generateKeyPair();
    }

    /** The TXT record of the key, as in a master file. */
    String record() {
        String text = "v=DKIM1; k=rsa; p=" + base64(keys.getPublic().getEncoded());
        return "k._domainkey.sender.example. IN TXT \"%s\" \"%s\"\n"
                .formatted(text.substring(0, TEXT_CHARACTERS_MAX), text.substring(TEXT_CHARACTERS_MAX));
    }

    /**
     * Puts a signature in front of a sample message.
     *
     * @param content of DATA, which begins with the signed fields in their order, has single blanks only, and no dots at the
     *     beginning of lines but the last
     */
    byte[] signed(byte[] content) throws GeneralSecurityException {
        String message = new String(content, StandardCharsets.US_ASCII);
        int bodyStart = message.indexOf("\r\n\r\n") + 4;
        String body = message.substring(bodyStart, message.length() - END.length());
        String tags = "v=1; a=rsa-sha256; c=relaxed/relaxed; d=sender.example; s=k; h=" + SIGNED + "; bh="
                + base64(MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.US_ASCII)))
                + "; b=";
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        String[] lines = message.split("\r\n", SIGNED.split(":", -1).length + 1);
        for (int i = 0; i < lines.length - 1; i++) {
            signature.update((relaxed(lines[i]) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        signature.update(relaxed("DKIM-Signature: " + tags).getBytes(StandardCharsets.US_ASCII));
        return ("DKIM-Signature: " + tags + base64(signature.sign()) + "\r\n" + message)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String relaxed(String line) {
        int colon = line.indexOf(':');
        return line.substring(0, colon).toLowerCase(Locale.ROOT)
                + ':'
                + line.substring(colon + 1).strip();
    }

    private static String base64(byte[] octets) {
        return Base64.getEncoder().encodeToString(octets);
    }
}
