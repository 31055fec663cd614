package dev.oneshot.authentication.dkim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.oneshot.authentication.dkim.DkimResult.Verdict;
import dev.oneshot.authentication.resolver.Resolvers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final String MESSAGE = """
            From: Alice  <alice@signer.example>
            Subject: A
            \tfolded subject
            To: b@c.example

            One  line\s
            \t two

            """.replace("\n", "\r\n");

    private static final String FROM = "From: a@signer.example\r\n";

    private static final KeyPair RSA = keys("RSA", 2048);

    private static final String KEY_NAME = "k._domainkey.signer.example";

    private final Map<String, String> records = new HashMap<>();

    private static KeyPair keys(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String message(String name) throws IOException {
        return Files.readString(Path.of("src/test/resources/authentication", name), StandardCharsets.ISO_8859_1);
    }

    private List<DkimResult> verify(String message) {
        return verify(message.getBytes(StandardCharsets.ISO_8859_1), Integer.MAX_VALUE);
    }

    /** The verdict of a message with one signature. */
    private Verdict verdict(String message) {
        List<DkimResult> results = verify(message);
        assertThat(results).hasSize(1);
        return results.getFirst().verdict();
    }

    private List<DkimResult> verify(byte[] octets, int pieceBytes) {
        HeaderSection header = HeaderSection.read(octets, 0, octets.length);
        List<ByteBuffer> body = new ArrayList<>();
        int at = header.bodyStart();
        while (at < octets.length) {
            ByteBuffer piece = ByteBuffer.wrap(octets, at, Math.min(pieceBytes, octets.length - at));
            body.add(piece);
            at = piece.limit();
        }
        return new DkimVerifier(header, body, Resolvers.dns(records, new ArrayList<>()), NOW).verify();
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

    private void publish(KeyPair keys, String tags) {
        publish(tags + "p=" + publicKey(keys));
    }

    private static String publicKey(KeyPair keys) {
        return Base64.getEncoder().encodeToString(keys.getPublic().getEncoded());
    }

    /** The keys of an example, each with its name. */
    private void publishKeysOf(String example) throws IOException {
        message(example + ".keys.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| ", 2))
                .forEach(key -> records.put(key[0], key[1]));
    }

    private void publish(String record) {
        records.put(KEY_NAME, record);
    }

    @Test
    void signaturesOfRfc8463Pass() throws Exception {
        publishKeysOf("rfc8463");

        List<DkimResult> results = verify(message("rfc8463.eml"));

        assertThat(results)
                .containsExactly(
                        new DkimResult(
                                Verdict.PASS, "football.example.com", "brisbane", "ed25519-sha256", "/gCrinpc", ""),
                        new DkimResult(Verdict.PASS, "football.example.com", "test", "rsa-sha256", "F45dVWDf", ""));
    }

    @Test
    void signatureOfRfc6376Passes() throws Exception {
        publishKeysOf("rfc6376");

        assertThat(verify(message("rfc6376.eml")))
                .containsExactly(new DkimResult(Verdict.PASS, "example.com", "brisbane", "rsa-sha256", "AuUoFEfD", ""));
    }

    /** The largest key that every verifier must know (RFC 8301 §3.2). Its generation would take seconds. */
    @Test
    void signatureOfAKeyWith4096BitsPasses() throws Exception {
        publish(message("rsa4096.key.txt").strip());

        assertThat(verdict(message("rsa4096.eml"))).isEqualTo(Verdict.PASS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c=simple/simple; ", "c=simple/relaxed; ", "c=relaxed/simple; ", "c=relaxed/relaxed; ", ""})
    void messageSignedByAnotherImplementationPassesInAnyPieces(String tags) throws Exception {
        publish(RSA, "v=DKIM1; ");
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            // Of an empty body, implementations have different relaxed forms.
            StringBuilder body = new StringBuilder("x");
            for (int j = random.nextInt(40); j > 0; j--) {
                body.append(List.of(" ", "\t", "a", "\r\n", "\r\n\r\n", ".").get(random.nextInt(6)));
            }
            String message = MESSAGE + body + "\r\n";
            byte[] octets = signed(template(tags), message).getBytes(StandardCharsets.ISO_8859_1);

            assertThat(verify(octets, 1 + random.nextInt(9)))
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
        publish(RSA, "");

        assertThat(verdict(signed(template(tags), MESSAGE).replace(before, after)))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-keys.txt", delimiter = '|', nullValues = "none")
    void keyRecordDecides(@Nullable String record, Verdict verdict, @Nullable String tags) throws Exception {
        if (record != null) {
            publish(record.replace("KEY", publicKey(RSA)).replace("PKCS1", pkcs1()));
        }

        String signed = signed(template(Objects.requireNonNullElse(tags, "")), MESSAGE);
        assertThat(verdict(signed)).isEqualTo(verdict);
    }

    /** The RSAPublicKey in a SubjectPublicKeyInfo of 2,048 bits, which is its end. */
    private static String pkcs1() {
        byte[] info = RSA.getPublic().getEncoded();
        return Base64.getEncoder().encodeToString(Arrays.copyOfRange(info, 24, info.length));
    }

    @ParameterizedTest
    @CsvSource({"768, FAIL, RSA key under 1024 bits", "1024, PASS, ''", "2048, PASS, ''"})
    void rsaKeyHasAtLeast1024Bits(int bits, Verdict verdict, String reason) throws Exception {
        KeyPair keys = keys("RSA", bits);
        publish(keys, "v=DKIM1; ");

        assertThat(verify(signed(template(""), MESSAGE, keys)))
                .extracting(DkimResult::verdict, DkimResult::reason)
                .containsExactly(tuple(verdict, reason));
    }

    /**
     * Signs by hand.
     *
     * @param header the signed fields, and the name of the signature's own, in canonical form
     * @param body in canonical form
     */
    private static String signature(String tags, String header, String body) throws GeneralSecurityException {
        return signatureOf("d=signer.example; s=k; " + tags, header, body);
    }

    private static String signatureOf(String tags, String header, String body) throws GeneralSecurityException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.ISO_8859_1));
        String value =
                "v=1; a=rsa-sha256; " + tags + "bh=" + Base64.getEncoder().encodeToString(hash) + "; b=";
        Signature signer = Signature.getInstance("SHA256withRSA");
        signer.initSign(RSA.getPrivate());
        signer.update((header + value).getBytes(StandardCharsets.ISO_8859_1));
        return "DKIM-Signature: " + value + Base64.getEncoder().encodeToString(signer.sign()) + "\r\n";
    }

    /** A signature of {@code FROM} and an empty body. */
    private static String signatureOfFrom(String tags) throws GeneralSecurityException {
        return signature("c=relaxed/relaxed; " + tags + " ", "from:a@signer.example\r\ndkim-signature:", "");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-bodies.txt", delimiter = '|', quoteCharacter = '\'')
    void bodyHasTheCanonicalFormOfTheRfc(String form, String canonical, String body) throws Exception {
        publish(RSA, "");
        String field = signature(
                "c=relaxed/" + form + "; h=from; ",
                "from:a@signer.example\r\ndkim-signature:",
                canonical.translateEscapes());

        assertThat(verify(field + "From: a@signer.example\r\n\r\n" + body.translateEscapes()))
                .extracting(DkimResult::verdict, DkimResult::reason)
                .containsExactly(tuple(Verdict.PASS, ""));
    }

    /** RFC 8616 §5. The hash is of the name as it is in the field. */
    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-names.txt", delimiter = '|')
    void internationalNamesAreThoseOfTheirALabels(String tags, Verdict verdict, @Nullable String domain)
            throws Exception {
        records.put("k._domainkey.xn--bcher-kva.example", "p=" + publicKey(RSA));
        records.put("k._domainkey.xn--ber-5ka8l.example", "p=" + publicKey(RSA));
        records.put("xn--schlssel-95a._domainkey.xn--bcher-kva.example", "p=" + publicKey(RSA));
        String utf8 = new String(tags.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)
                .replace("BROKEN", "b\u00FCcher");

        String field =
                signatureOf(utf8 + " c=relaxed/relaxed; h=from; ", "from:a@signer.example\r\ndkim-signature:", "");

        assertThat(verify(field + FROM + "\r\n"))
                .extracting(DkimResult::verdict, DkimResult::domain)
                .containsExactly(tuple(verdict, Objects.requireNonNullElse(domain, "")));
    }

    @Test
    void messageWithoutAnEmptyLineHasAnEmptyBody() throws Exception {
        publish(RSA, "");
        String message = signatureOfFrom("h=from;") + FROM;

        assertThat(verdict(message)).isEqualTo(Verdict.PASS);
        assertThat(verdict(message.stripTrailing())).isEqualTo(Verdict.PASS);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-fields.txt", delimiter = '|', quoteCharacter = '\'')
    void fieldsHaveTheCanonicalFormOfTheRfc(String form, String names, String canonical, String fields)
            throws Exception {
        publish(RSA, "");
        String own = form.equals("simple") ? "DKIM-Signature: " : "dkim-signature:";
        String tags = "c=" + form + "/relaxed; h=" + names + "; ";

        String field = signature(tags, canonical.translateEscapes() + own, "");

        assertThat(verify(field + fields.translateEscapes() + "\r\n"))
                .extracting(DkimResult::verdict, DkimResult::reason)
                .containsExactly(tuple(Verdict.PASS, ""));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-signature-tags.txt", delimiter = '|', quoteCharacter = '\'')
    void tagsThatDoNotMatterDoNotMatter(String tags, Verdict verdict) throws Exception {
        publish(RSA, "");

        assertThat(verdict(signatureOfFrom("h=from; " + tags) + FROM + "\r\n")).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"from:reply-to, Reply-To", "from:from, From"})
    void fieldThatIsSignedAsAbsentCannotBeAdded(String signed, String added) throws Exception {
        publish(RSA, "");
        String field = signatureOfFrom("h=" + signed + ";");
        assertThat(verdict(field + FROM + "\r\n")).isEqualTo(Verdict.PASS);
        assertThat(verdict(field + added + ": mallory@evil.example\r\n" + FROM + "\r\n"))
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void ed25519KeyOfAnotherLengthIsAnError() throws Exception {
        publish(keys("Ed25519", 255), "k=ed25519; ");

        assertThat(verify(signed(template(""), MESSAGE).replaceFirst("rsa-sha256", "ed25519-sha256")))
                .extracting(DkimResult::verdict, DkimResult::reason)
                .containsExactly(tuple(Verdict.PERMERROR, "key not readable"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-tags.txt", delimiter = '|', quoteCharacter = '\'')
    void tagThatIsNotValidIsNoPass(String before, String after, Verdict verdict) throws Exception {
        publish(RSA, "");
        String message = signed(template(""), MESSAGE);
        int field = message.indexOf("\r\nFrom:");

        String changed = message.substring(0, field)
                        .replaceFirst(java.util.regex.Pattern.quote(before), after == null ? "" : after)
                + message.substring(field);

        assertThat(verdict(changed)).isEqualTo(verdict);
    }

    @Test
    void fiveHundredSignaturesAreVerifiedInPart() throws Exception {
        publish(RSA, "");
        String message = signed(template("c=relaxed/relaxed; "), MESSAGE);
        String field = message.substring(0, message.indexOf("\r\nFrom:") + 2);

        List<DkimResult> results = verify(field.repeat(499) + message);

        assertThat(results).hasSize(9);
        assertThat(results.getLast().verdict()).isEqualTo(Verdict.POLICY);
    }

    @Test
    void signatureOfAHundredKibibytesIsNotRead() {
        String message = "DKIM-Signature: v=1; " + "x".repeat(100_000) + "=1;\r\n" + MESSAGE;

        assertThat(verdict(message)).isEqualTo(Verdict.NEUTRAL);
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
            assertThat(verify(octets, 1 + random.nextInt(500)))
                    .hasSizeLessThanOrEqualTo(3)
                    .allSatisfy(result -> assertThat(result.verdict()).isNotNull());
        }
    }
}
