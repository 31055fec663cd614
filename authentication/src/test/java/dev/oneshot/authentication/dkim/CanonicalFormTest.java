package dev.oneshot.authentication.dkim;

import static dev.oneshot.authentication.dkim.SignerDomain.RSA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.oneshot.authentication.dkim.DkimResult.Verdict;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Canonical forms, names and tags, by messages that the test signs by hand. */
class CanonicalFormTest {

    private static final String FROM = "From: a@signer.example\r\n";

    private final SignerDomain sender = new SignerDomain();

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
        sender.publish(RSA, "");
        String field = signature(
                "c=relaxed/" + form + "; h=from; ",
                "from:a@signer.example\r\ndkim-signature:",
                canonical.translateEscapes());

        assertThat(sender.verify(field + "From: a@signer.example\r\n\r\n" + body.translateEscapes()))
                .extracting(DkimResult::verdict, DkimResult::reason)
                .containsExactly(tuple(Verdict.PASS, ""));
    }

    /** RFC 8616 §5. The hash is of the name as it is in the field. */
    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-names.txt", delimiter = '|')
    void internationalNamesAreThoseOfTheirALabels(String tags, Verdict verdict, @Nullable String domain)
            throws Exception {
        sender.publishAt("k._domainkey.xn--bcher-kva.example", "p=" + SignerDomain.publicKey(RSA));
        sender.publishAt("k._domainkey.xn--ber-5ka8l.example", "p=" + SignerDomain.publicKey(RSA));
        sender.publishAt("xn--schlssel-95a._domainkey.xn--bcher-kva.example", "p=" + SignerDomain.publicKey(RSA));
        String utf8 = new String(tags.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)
                .replace("BROKEN", "b\u00FCcher");

        String field =
                signatureOf(utf8 + " c=relaxed/relaxed; h=from; ", "from:a@signer.example\r\ndkim-signature:", "");

        assertThat(sender.verify(field + FROM + "\r\n"))
                .extracting(DkimResult::verdict, DkimResult::domain)
                .containsExactly(tuple(verdict, Objects.requireNonNullElse(domain, "")));
    }

    @Test
    void messageWithoutAnEmptyLineHasAnEmptyBody() throws Exception {
        sender.publish(RSA, "");
        String message = signatureOfFrom("h=from;") + FROM;

        assertThat(sender.verdict(message)).isEqualTo(Verdict.PASS);
        assertThat(sender.verdict(message.stripTrailing())).isEqualTo(Verdict.PASS);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-fields.txt", delimiter = '|', quoteCharacter = '\'')
    void fieldsHaveTheCanonicalFormOfTheRfc(String form, String names, String canonical, String fields)
            throws Exception {
        sender.publish(RSA, "");
        String own = form.equals("simple") ? "DKIM-Signature: " : "dkim-signature:";
        String tags = "c=" + form + "/relaxed; h=" + names + "; ";

        String field = signature(tags, canonical.translateEscapes() + own, "");

        assertThat(sender.verify(field + fields.translateEscapes() + "\r\n"))
                .extracting(DkimResult::verdict, DkimResult::reason)
                .containsExactly(tuple(Verdict.PASS, ""));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dkim-signature-tags.txt", delimiter = '|', quoteCharacter = '\'')
    void tagsThatDoNotMatterDoNotMatter(String tags, Verdict verdict) throws Exception {
        sender.publish(RSA, "");

        assertThat(sender.verdict(signatureOfFrom("h=from; " + tags) + FROM + "\r\n"))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"from:reply-to, Reply-To", "from:from, From"})
    void fieldThatIsSignedAsAbsentCannotBeAdded(String signed, String added) throws Exception {
        sender.publish(RSA, "");
        String field = signatureOfFrom("h=" + signed + ";");
        assertThat(sender.verdict(field + FROM + "\r\n")).isEqualTo(Verdict.PASS);
        assertThat(sender.verdict(field + added + ": mallory@evil.example\r\n" + FROM + "\r\n"))
                .isEqualTo(Verdict.FAIL);
    }
}
