package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.SmtpClient;
import dev.oneshot.testing.TrustingTls;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The packaged SMTP server with a certificate that is renewed while it runs. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class StartTlsIT extends StackTest {

    /** As in the chart: a mounted Secret, named by these variables. */
    @Test
    void aMountedCertificateIsUsedItsRenewalIsSeenWithoutARestartAndNoClientRenegotiates(@TempDir Path directory)
            throws Exception {
        MountedCertificate mounted = MountedCertificate.of(directory, "first.example");
        try (Replica ingest = Replica.of(
                stack,
                Service.INGEST,
                "ONESHOT_SMTP_TLS_CONFIGURATION_NAME=smtp",
                "QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__CERT=" + directory.resolve("tls.crt"),
                "QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__KEY=" + directory.resolve("tls.key"),
                "QUARKUS_TLS__SMTP__RELOAD_PERIOD=1s")) {
            assertThat(subjectAfterStartTls(ingest.port(), "TLSv1.2")).isEqualTo("CN=first.example");
            assertThat(subjectAfterStartTls(ingest.port(), "TLSv1.3")).isEqualTo("CN=first.example");

            assertNoRenegotiation(ingest);
            mounted.renew("second.example");

            awaitSubject(ingest, "CN=second.example");
        }
    }

    private static void assertNoRenegotiation(Replica ingest) throws IOException, GeneralSecurityException {
        try (SSLSocket secured = afterStartTls(ingest.port(), "TLSv1.2");
                SmtpClient client = SmtpClient.over(secured)) {
            assertThat(client.say("NOOP")).startsWith("250 ");

            assertThatThrownBy(() -> {
                        secured.startHandshake();
                        client.say("NOOP");
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    private static void awaitSubject(Replica ingest, String subject) {
        await().ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> subjectAfterStartTls(ingest.port(), "TLSv1.3").equals(subject));
    }

    static String subjectAfterStartTls(int port, String protocol) throws IOException, GeneralSecurityException {
        try (SSLSocket encrypted = afterStartTls(port, protocol)) {
            X509Certificate certificate =
                    (X509Certificate) encrypted.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        }
    }

    private static SSLSocket afterStartTls(int port, String protocol) throws IOException, GeneralSecurityException {
        SmtpClient plain = SmtpClient.greeted(port);
        assertThat(plain.say("STARTTLS")).startsWith("220 ");
        return TrustingTls.handshake(plain.socket(), protocol);
    }
}
