package dev.oneshot.authentication.dkim;

import static dev.oneshot.authentication.dkim.SignerDomain.RSA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.oneshot.authentication.dkim.DkimResult.Verdict;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.james.jdkim.DKIMSigner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DKIM by the RFCs' examples, and by messages that Apache jDKIM has signed. */
class DkimVerifierTest {

    private static final String MESSAGE = """
            From: Alice  <alice@signer.example>
            Subject: A
            \tfolded subject
            To: b@c.example

            One  line\s
            \t two

            """.replace("\n", "\r\n");

    private final SignerDomain sender = new SignerDomain();

    private static String message(String name) throws IOException {
        return Files.readString(Path.of("src/test/resources/authentication", name), StandardCharsets.ISO_8859_1);
    }

    private static String signed(String template, String message) throws Exception {
        return signed(template, message, RSA);
    }

    private static String signed(String template, String message, KeyPair keys) throws Exception {
        String field = new DKIMSigner(template, keys.getPrivate())
                .sign(new ByteArrayInputStream(message.getBytes(StandardCharsets.ISO_8859_1)));
        return field + "\r\n" + message;
    }

    private static String template(String tags) {
        return "v=1; a=rsa-sha256; d=signer.example; s=k; h=from:to:subject; " + tags + "bh=; b=;";
    }

    /** The keys of an example, each with its name. */
    private void publishKeysOf(String example) throws IOException {
        message(example + ".keys.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| ", 2))
                .forEach(key -> sender.publishAt(key[0], key[1]));
    }

    @Test
    void signaturesOfRfc8463Pass() throws Exception {
        publishKeysOf("rfc8463");

        List<DkimResult> results = sender.verify(message("rfc8463.eml"));

        assertThat(results)
                .containsExactly(
                        new DkimResult(
                                Verdict.PASS, "football.example.com", "brisbane", "ed25519-sha256", "/gCrinpc", ""),
                        new DkimResult(Verdict.PASS, "football.example.com", "test", "rsa-sha256", "F45dVWDf", ""));
    }

    @Test
    void signatureOfRfc6376Passes() throws Exception {
        publishKeysOf("rfc6376");

        assertThat(sender.verify(message("rfc6376.eml")))
                .containsExactly(new DkimResult(Verdict.PASS, "example.com", "brisbane", "rsa-sha256", "AuUoFEfD", ""));
    }

    /** The largest key that every verifier must know (RFC 8301 §3.2). Its generation would take seconds. */
    @Test
    void signatureOfAKeyWith4096BitsPasses() throws Exception {
        sender.publish(message("rsa4096.key.txt").strip());

        assertThat(sender.verdict(message("rsa4096.eml"))).isEqualTo(Verdict.PASS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c=simple/simple; ", "c=simple/relaxed; ", "c=relaxed/simple; ", "c=relaxed/relaxed; ", ""})
    void messageSignedByAnotherImplementationPassesInAnyPieces(String tags) throws Exception {
        sender.publish(RSA, "v=DKIM1; ");
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            // Of an empty body, implementations have different relaxed forms.
            StringBuilder body = new StringBuilder("x");
            for (int j = random.nextInt(40); j > 0; j--) {
                body.append(List.of(" ", "\t", "a", "\r\n", "\r\n\r\n", ".").get(random.nextInt(6)));
            }
            String message = MESSAGE + body + "\r\n";
            byte[] octets = signed(template(tags), message).getBytes(StandardCharsets.ISO_8859_1);

            assertThat(sender.verify(octets, 1 + random.nextInt(9)))
                    .as(message)
                    .extracting(DkimResult::verdict)
                    .containsExactly(Verdict.PASS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "One  line, One line, c=relaxed/relaxed; , PASS",
        "One  line, One line, c=relaxed/simple; , FAIL",
        "One  line, One  lime, c=relaxed/relaxed; , FAIL",
        "folded, folden, c=relaxed/relaxed; , FAIL",
        "'To: b', 'to:  b', c=relaxed/relaxed; , PASS",
        "'To: b', 'to:  b', c=simple/relaxed; , FAIL",
        "'From: Alice', 'From: Malice', c=relaxed/relaxed; , FAIL",
    })
    void changeOnTheWayFailsUnlessTheFormAllowsIt(String before, String after, String tags, Verdict verdict)
            throws Exception {
        sender.publish(RSA, "");

        assertThat(sender.verdict(signed(template(tags), MESSAGE).replace(before, after)))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-keys.txt", delimiter = '|', nullValues = "none")
    void keyRecordDecides(@Nullable String record, Verdict verdict, @Nullable String tags) throws Exception {
        if (record != null) {
            sender.publish(record.replace("KEY", SignerDomain.publicKey(RSA)).replace("PKCS1", pkcs1()));
        }

        String signed = signed(template(Objects.requireNonNullElse(tags, "")), MESSAGE);
        assertThat(sender.verdict(signed)).isEqualTo(verdict);
    }

    /** The RSAPublicKey in a SubjectPublicKeyInfo of 2,048 bits, which is its end. */
    private static String pkcs1() {
        byte[] info = RSA.getPublic().getEncoded();
        return Base64.getEncoder().encodeToString(Arrays.copyOfRange(info, 24, info.length));
    }

    @ParameterizedTest
    @CsvSource({"768, FAIL, RSA key under 1024 bits", "1024, PASS, ''", "2048, PASS, ''"})
    void rsaKeyHasAtLeast1024Bits(int bits, Verdict verdict, String reason) throws Exception {
        KeyPair keys = SignerDomain.keys("RSA", bits);
        sender.publish(keys, "v=DKIM1; ");

        assertThat(sender.verify(signed(template(""), MESSAGE, keys)))
                .extracting(DkimResult::verdict, DkimResult::reason)
                .containsExactly(tuple(verdict, reason));
    }

    @Test
    void ed25519KeyOfAnotherLengthIsAnError() throws Exception {
        sender.publish(SignerDomain.keys("Ed25519", 255), "k=ed25519; ");

        assertThat(sender.verify(signed(template(""), MESSAGE).replaceFirst("rsa-sha256", "ed25519-sha256")))
                .extracting(DkimResult::verdict, DkimResult::reason)
                .containsExactly(tuple(Verdict.PERMERROR, "key not readable"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-tags.txt", delimiter = '|', quoteCharacter = '\'')
    void tagThatIsNotValidIsNoPass(String before, String after, Verdict verdict) throws Exception {
        sender.publish(RSA, "");
        String message = signed(template(""), MESSAGE);
        int field = message.indexOf("\r\nFrom:");

        String changed = message.substring(0, field)
                        .replaceFirst(java.util.regex.Pattern.quote(before), after == null ? "" : after)
                + message.substring(field);

        assertThat(sender.verdict(changed)).isEqualTo(verdict);
    }

    @Test
    void fiveHundredSignaturesAreVerifiedInPart() throws Exception {
        sender.publish(RSA, "");
        String message = signed(template("c=relaxed/relaxed; "), MESSAGE);
        String field = message.substring(0, message.indexOf("\r\nFrom:") + 2);

        List<DkimResult> results = sender.verify(field.repeat(499) + message);

        assertThat(results).hasSize(9);
        assertThat(results.getLast().verdict()).isEqualTo(Verdict.POLICY);
    }

    @Test
    void signatureOfAHundredKibibytesIsNotRead() {
        String message = "DKIM-Signature: v=1; " + "x".repeat(100_000) + "=1;\r\n" + MESSAGE;

        assertThat(sender.verdict(message)).isEqualTo(Verdict.NEUTRAL);
    }

    @Test
    void anyOctetsHaveAVerdict() throws Exception {
        publishKeysOf("rfc8463");
        byte[] original = message("rfc8463.eml").getBytes(StandardCharsets.ISO_8859_1);
        Random random = new Random(11);
        for (int i = 0; i < 2_000; i++) {
            byte[] octets = Arrays.copyOf(original, 1 + random.nextInt(original.length));
            for (int j = random.nextInt(6); j > 0; j--) {
                octets[random.nextInt(octets.length)] = (byte) random.nextInt(256);
            }
            assertThat(sender.verify(octets, 1 + random.nextInt(500)))
                    .hasSizeLessThanOrEqualTo(3)
                    .allSatisfy(result -> assertThat(result.verdict()).isNotNull());
        }
    }
}
