package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
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

/** STARTTLS with certificates in files, which are renewed as an operator would: by writing over the files. */
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

        checkRenewal(
                Map.of(
                        "QUARKUS_TLS__SMTP__KEY_STORE_P12_PATH",
                        served.toString(),
                        "QUARKUS_TLS__SMTP__KEY_STORE_P12_PASSWORD",
                        PASSWORD),
                () -> replace(second, served));
    }

    @Test
    void pemFilesAreServedAndReadAgain(@TempDir Path folder) throws Exception {
        Path first = makePem(folder.resolve("first.p12"), "first.example");
        Path second = makePem(folder.resolve("second.p12"), "second.example");
        Path key = Files.copy(first.resolveSibling("first.p12.key"), folder.resolve("served.key"));
        Path certificate = Files.copy(first.resolveSibling("first.p12.crt"), folder.resolve("served.crt"));

        checkRenewal(
                Map.of(
                        "QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__KEY", key.toString(),
                        "QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__CERT", certificate.toString()),
                () -> {
                    replace(second.resolveSibling("second.p12.key"), key);
                    replace(second.resolveSibling("second.p12.crt"), certificate);
                });
    }

    private void checkRenewal(Map<String, String> keyStore, Runnable renewal) throws Exception {
        Map<String, String> settings = new HashMap<>(keyStore);
        settings.put("ONESHOT_SMTP_TLS_CONFIGURATION_NAME", "smtp");
        settings.put("QUARKUS_TLS__SMTP__RELOAD_PERIOD", "1s");
        try (Replica ingest = Replica.of(stack, Service.INGEST, settings)) {
            assertThat(nameInCertificate(ingest.port())).isEqualTo("CN=first.example");

            renewal.run();

            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(nameInCertificate(ingest.port())).isEqualTo("CN=second.example"));
        }
    }

    /** As an operator should: nobody ever sees half of a file. */
    private static void replace(Path from, Path to) {
        try {
            Path copy = Files.copy(from, to.resolveSibling(to.getFileName() + ".new"));
            Files.move(copy, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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

    /** The same key and certificate as PEM, in files beside. */
    private static Path makePem(Path file, String name) throws Exception {
        KeyStore store = KeyStore.getInstance(makeKeyStore(file, name).toFile(), PASSWORD.toCharArray());
        writePem(
                file.resolveSibling(file.getFileName() + ".key"),
                "PRIVATE KEY",
                store.getKey("smtp", PASSWORD.toCharArray()).getEncoded());
        writePem(
                file.resolveSibling(file.getFileName() + ".crt"),
                "CERTIFICATE",
                store.getCertificate("smtp").getEncoded());
        return file;
    }

    private static void writePem(Path file, String type, byte[] octets) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(octets) + "\n-----END " + type
                        + "-----\n");
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
