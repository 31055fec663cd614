package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.backends.KeyStoreFile;
import dev.oneshot.testing.SmtpClient;
import dev.oneshot.testing.TrustingTls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.tls.CertificateUpdatedEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** STARTTLS over a socket, and certificates that are renewed while the server runs. */
class SmtpTlsTest extends OwnServers {

    private static final int RENEWALS = 50;
    private static final String EXPIRY = "oneshot.ingest.certificate.expiry.timestamp";

    private static final Map<String, String> TLS = Map.of("tls-configuration-name", "smtp");

    @Test
    void versionOfTlsThatTheOperatorHasExcludedIsNotSpoken() throws Exception {
        try (SmtpTestServer server = server(Map.of("tls-configuration-name", "smtp", "tls-protocols", "TLSv1.3"))) {
            assertThat(protocolWith(server, "TLSv1.3")).isEqualTo("TLSv1.3");
            assertThatThrownBy(() -> protocolWith(server, "TLSv1.2")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void cbcCipherSuitesAreRefused() throws Exception {
        String[] cbc = Arrays.stream(
                        SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites())
                .filter(suite -> suite.contains("_CBC_"))
                .toArray(String[]::new);
        assertThat(cbc).isNotEmpty();
        try (SmtpTestServer server = server(TLS);
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("STARTTLS");
            assertThatThrownBy(() -> TrustingTls.handshakeWithCipherSuites(client.socket(), cbc))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void cipherSuitesThatTheOperatorNamesAreOffered() throws Exception {
        String cbc = "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384";
        try (SmtpTestServer server = server(certificate.withCipherSuites(cbc), TLS);
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("STARTTLS");
            assertThat(TrustingTls.handshakeWithCipherSuites(client.socket(), cbc)
                            .getSession()
                            .getCipherSuite())
                    .isEqualTo(cbc);
        }
    }

    @Test
    void handshakeKeepsItsKeysThroughSeveralRenewals(@TempDir Path folder) throws Exception {
        SmtpCertificate second = SmtpCertificate.create(folder.resolve("second.p12"), "second.example");
        SmtpTls tls = new SmtpTls(SmtpTestServer.config(TLS), certificate.asRegistry(), new SimpleMeterRegistry());
        SslHandler client = SslContextBuilder.forClient()
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .build()
                .newHandler(UnpooledByteBufAllocator.DEFAULT);
        SslHandler server = tls.handler();
        // On a slow machine, the renewals take longer than a handshake may.
        client.setHandshakeTimeoutMillis(0);
        server.setHandshakeTimeoutMillis(0);
        EmbeddedChannel clientEnd = new EmbeddedChannel(client);
        EmbeddedChannel serverEnd = new EmbeddedChannel(server);
        ByteBuf hello = clientEnd.readOutbound();
        serverEnd.writeInbound(hello.readRetainedSlice(hello.readableBytes() / 2));

        for (int i = 0; i < RENEWALS; i++) {
            tls.renew(new CertificateUpdatedEvent("smtp", second));
        }

        serverEnd.writeInbound(hello);
        for (int flight = 0; flight < 4; flight++) {
            pass(serverEnd, clientEnd);
            pass(clientEnd, serverEnd);
        }
        assertThat(client.handshakeFuture().isSuccess()).isTrue();
        assertThat(client.engine().getSession().getPeerPrincipal().getName()).isEqualTo("CN=mx.example");
    }

    private static void pass(EmbeddedChannel from, EmbeddedChannel to) {
        for (Object octets = from.readOutbound(); octets != null; octets = from.readOutbound()) {
            to.writeInbound(octets);
        }
    }

    @Test
    void certificateThatCannotBeReadLeavesTheOneBeforeInUse(@TempDir Path folder) throws Exception {
        try (SmtpTestServer server = server(TLS)) {
            Path broken = Files.writeString(folder.resolve("broken.p12"), "no key store");

            server.renew(SmtpCertificate.of(broken));

            assertThat(TrustingTls.subject(TrustingTls.afterStartTls(server.port())))
                    .isEqualTo("CN=mx.example");
            assertThatThrownBy(() -> new SmtpTls(
                            SmtpTestServer.config(TLS),
                            SmtpCertificate.of(broken).asRegistry(),
                            new SimpleMeterRegistry()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("quarkus.tls.smtp.key-store");
        }
    }

    @Test
    void expiryThatIsMeasuredIsThatOfTheCertificateInUse(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("second.p12");
        new KeyStoreFile(file).add("authority", "authority", "EC", "-validity", "1", "-ext", "bc:c");
        new KeyStoreFile(file).add("smtp", "second.example", "EC", "-validity", "30", "-signer", "authority");
        SmtpCertificate second = SmtpCertificate.of(file);
        try (SmtpTestServer server = server(TLS);
                SmtpTestServer withoutTls = server(Map.of())) {
            assertThat(server.gauge(EXPIRY)).isEqualTo(certificate.expirySeconds("smtp"));
            assertThat(withoutTls.gauge(EXPIRY)).isNaN();

            server.renew(second);

            assertThat(server.gauge(EXPIRY)).isEqualTo(second.expirySeconds("authority"));
        }
    }

    @ParameterizedTest
    @CsvSource({"tls-configuration-name, nowhere", "tls-protocols, 'TLSv1.1,TLSv1.2'"})
    void badSettingStopsTheStartAndIsNamed(String key, String value) {
        assertThatThrownBy(() -> server(Map.of(key, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.smtp." + key);
    }

    @Test
    void handshakeThatFailsEndsTheConnection() throws Exception {
        try (SmtpTestServer server = server(TLS);
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("STARTTLS");
            client.write("EHLO client.example\r\n");
            await().untilAsserted(() -> assertThat(server.connections()).isZero());
        }
    }

    private static String protocolWith(SmtpTestServer server, String protocol) throws Exception {
        try (SSLSocket secure = TrustingTls.afterStartTls(server.port(), protocol)) {
            return secure.getSession().getProtocol();
        }
    }
}
