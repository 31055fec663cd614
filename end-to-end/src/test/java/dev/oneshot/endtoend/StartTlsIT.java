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

            await().ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> subjectAfterStartTls(ingest.port(), "TLSv1.3").equals("CN=second.example"));
        }
    }

    private static void assertNoRenegotiation(Replica ingest) throws IOException, GeneralSecurityException {
        try (SSLSocket secured = TrustingTls.afterStartTls(ingest.port(), "TLSv1.2");
                SmtpClient client = SmtpClient.over(secured)) {
            assertThat(client.say("NOOP")).startsWith("250 ");

            assertThatThrownBy(() -> {
                        secured.startHandshake();
                        client.say("NOOP");
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    static String subjectAfterStartTls(int port, String protocol) throws IOException, GeneralSecurityException {
        try (SSLSocket encrypted = TrustingTls.afterStartTls(port, protocol)) {
            return TrustingTls.subject(encrypted);
        }
    }
}
