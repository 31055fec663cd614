package dev.oneshot.mailer.dkim;

import static dev.oneshot.mailer.compose.ParsedMail.octets;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.MimeComposer;
import dev.oneshot.mailer.compose.MimeEntity;
import dev.oneshot.mailer.compose.SmtpMail;
import dev.oneshot.testing.TestSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.james.jdkim.DKIMVerifier;
import org.apache.james.jdkim.exceptions.FailException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures are verified by Apache jDKIM. */
class DkimSignerTest {

    private static final KeyPair KEYS = newKeys(2048);

    private final DkimSigner signer;

    DkimSignerTest(@TempDir Path directory) throws IOException {
        signer = new DkimSigner(config(pem(directory, KEYS), "s1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Hello\n", "", "\n\n\n", "blanks  at the end \t \n  and \t in between\n\n", "Grüße 📬"})
    void everyMailVerifies(String text) throws IOException, FailException {
        MailRequested request = Requests.mail(
                "Grüße 📬 in einem Betreff, der länger ist als eine Zeile es sein darf, wirklich",
                text,
                "<p>" + text,
                List.of(new MailRequested.Attachment("日本.bin", "application/pdf", Octets.of(new byte[100_000]))));

        assertThat(verify(octets(sign(request)))).isEqualTo(1);
        assertThat(verify(octets(sign(Requests.mail("s", text, null, List.of())))))
                .isEqualTo(1);
    }

    @Test
    void anAttachedMessageVerifies() throws IOException, FailException {
        SmtpMail signed = sign(Requests.mail(
                "s",
                "t",
                null,
                List.of(new MailRequested.Attachment(
                        "m.eml",
                        "message/rfc822",
                        Octets.of("Subject: x\n\n.Gr\u00FC\u00DFe \n\n\n".getBytes(StandardCharsets.UTF_8))))));

        assertThat(signed.eightBit()).isTrue();
        assertThat(verify(octets(signed))).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"Pay 100, Pay 999", "Subject one, Subject two"})
    void aChangedBodyOrSubjectDoesNotVerify(String part, String replacement) throws IOException {
        byte[] signed = octets(sign(Requests.mail("Subject one", "Pay 100\n", null, List.of())));
        byte[] forged = new String(signed, StandardCharsets.US_ASCII)
                .replace(part, replacement)
                .getBytes(StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> verify(forged)).isInstanceOf(FailException.class);
    }

    @Test
    void theSameMailIsSignedTheSame() throws IOException {
        MailRequested request = Requests.mail(
                "Grüße",
                "text",
                "<p>",
                List.of(
                        new MailRequested.Attachment("a.bin", "application/pdf", Octets.of(new byte[100])),
                        new MailRequested.Attachment(
                                "m.eml", "message/rfc822", Octets.of("ü\n".getBytes(StandardCharsets.UTF_8)))));

        assertThat(octets(sign(request))).isEqualTo(octets(sign(request)));
    }

    @Test
    void withoutConfigurationNothingIsSigned() {
        MimeEntity message = new MimeEntity(List.of("Subject: s"), false, _ -> {});

        assertThat(new DkimSigner(config("", "")).sign(message, "a@out.example.org"))
                .isSameAs(message);
    }

    @Test
    void badConfigurationNamesItsKey(@TempDir Path directory) throws IOException {
        Path weak = pem(directory, newKeys(512));
        Path missing = directory.resolve("missing.pem");

        assertRefused("oneshot.dkim.private-key-file", config(weak, "s1"));
        assertRefused("oneshot.dkim.private-key-file", config(missing, "s1"));
        assertRefused("oneshot.dkim.selector", config(weak, ""));
        assertRefused("oneshot.dkim.private-key-file", config("", "s1"));
    }

    private static void assertRefused(String key, DkimConfig config) {
        assertThatThrownBy(() -> new DkimSigner(config)).hasMessageContaining(key);
    }

    /** Empty settings are absent. */
    private static DkimConfig config(Object file, String selector) {
        return TestSettings.of(DkimConfig.class, Map.of("private-key-file", file.toString(), "selector", selector));
    }

    private static Path pem(Path directory, KeyPair pair) throws IOException {
        String base64 = Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded());
        return Files.writeString(
                directory.resolve("key.pem"),
                "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n");
    }

    private SmtpMail sign(MailRequested request) {
        return MimeComposer.compose(request, message -> signer.sign(message, request.from()));
    }

    private static int verify(byte[] message) throws IOException, FailException {
        String record = "v=DKIM1; k=rsa; p="
                + Base64.getEncoder().encodeToString(KEYS.getPublic().getEncoded());
        DKIMVerifier verifier = new DKIMVerifier((methods, selector, token) -> {
            assertThat(selector.toString()).isEqualTo("s1");
            assertThat(token.toString()).isEqualTo("out.example.org");
            return List.of(record);
        });
        return verifier.verify(new ByteArrayInputStream(message)).size();
    }

    private static KeyPair newKeys(int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
