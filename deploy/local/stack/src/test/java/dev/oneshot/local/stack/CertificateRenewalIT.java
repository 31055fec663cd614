package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** STARTTLS with a PKCS12 file, which is renewed as an operator would: by moving another one over it. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class CertificateRenewalIT {

    private static final String PASSWORD = "changeit";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final LocalStack stack;

    CertificateRenewalIT(LocalStack stack) {
        this.stack = stack;
    }

    @Test
    void pkcs12FileIsServedAndReadAgain(@TempDir Path folder) throws Exception {
        Path first = makeKeyStore(folder.resolve("first.p12"), "first.example");
        Path second = makeKeyStore(folder.resolve("second.p12"), "second.example");
        Path served = Files.copy(first, folder.resolve("served.p12"));
        Map<String, String> settings = Map.of(
                "ONESHOT_SMTP_TLS_CONFIGURATION_NAME",
                "smtp",
                "QUARKUS_TLS__SMTP__KEY_STORE_P12_PATH",
                served.toString(),
                "QUARKUS_TLS__SMTP__KEY_STORE_P12_PASSWORD",
                PASSWORD,
                "QUARKUS_TLS__SMTP__RELOAD_PERIOD",
                "1s");
        try (Replica ingest = Replica.of(stack, Service.INGEST, settings)) {
            assertThat(nameInCertificate(ingest.port())).isEqualTo("CN=first.example");

            // So that nobody ever sees half of a file.
            Files.move(second, served, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(nameInCertificate(ingest.port())).isEqualTo("CN=second.example"));
        }
    }

    private static Path makeKeyStore(Path file, String name) throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "smtp",
                        "-dname",
                        "CN=" + name,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return file;
    }

    private static String nameInCertificate(int port) throws IOException, GeneralSecurityException {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new TrustEverybody()}, new SecureRandom());
        try (Socket plain = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
            BufferedReader replies =
                    new BufferedReader(new InputStreamReader(plain.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(replies.readLine()).startsWith("220 ");
            plain.getOutputStream().write("STARTTLS\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(replies.readLine()).startsWith("220 ");
            try (SSLSocket secure =
                    (SSLSocket) trusting.getSocketFactory().createSocket(plain, "mx.example", port, true)) {
                secure.startHandshake();
                return secure.getSession().getPeerPrincipal().getName();
            }
        }
    }

    /** Self-signed certificates are all there is here, and which one it is, is what is looked at. */
    private static final class TrustEverybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
