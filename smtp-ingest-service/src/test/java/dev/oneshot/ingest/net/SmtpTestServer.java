package dev.oneshot.ingest.net;

import dev.oneshot.ingest.authentication.AuthenticationConfig;
import dev.oneshot.ingest.authentication.AuthenticationSettings;
import dev.oneshot.ingest.authentication.DnsConfig;
import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailDelivery;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.ingest.transcript.Transcript;
import dev.oneshot.ingest.transcript.TranscriptRecipients;
import dev.oneshot.testing.TestSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.tls.CertificateUpdatedEvent;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServerOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The real server on a free port. The test decides the outcome of a delivery. */
final class SmtpTestServer implements AutoCloseable {

    private static final long TIMEOUT_SECONDS = 60;

    private final Vertx vertx;
    private final String deployment;
    private final SmtpListener listener;
    private final SmtpTls tls;
    private final MessageMemory memory;
    private final ClientNetworks clients;
    private final MeterRegistry meters = new SimpleMeterRegistry();

    /** Starts one; settings are those of {@link SmtpConfig} without their prefix, and any whole one. */
    SmtpTestServer(
            Vertx vertx,
            SmtpPolicy policy,
            MessageMemory memory,
            TlsConfigurationRegistry tlsConfigurations,
            Map<String, String> settings,
            Function<MailTransaction, CompletionStage<DeliveryOutcome>> store) {
        this.vertx = vertx;
        this.memory = memory;
        SmtpConfig config = config(settings);
        SmtpSettings checked = new SmtpSettings(config);
        this.clients = checked.clientNetworks();
        TranscriptRecipients recipients = new TranscriptRecipients();
        SmtpMetrics metrics = new SmtpMetrics(meters, clients, memory);
        this.tls = new SmtpTls(config, tlsConfigurations, meters);
        Connections connections = new Connections(
                policy,
                recipients,
                Clock.systemUTC(),
                tls,
                authentication(settings, store, policy),
                metrics,
                config,
                memory);
        NetServerOptions options =
                new NetServerOptions().setHost("127.0.0.1").setPort(0).setTcpNoDelay(true);
        this.listener = new SmtpListener(options, connections, clients);
        this.deployment = vertx.deployVerticle(listener)
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    static SmtpConfig config(Map<String, String> settings) {
        return TestSettings.of(SmtpConfig.class, settings);
    }

    static AuthenticationSettings authentication(
            Map<String, String> settings,
            Function<MailTransaction, CompletionStage<DeliveryOutcome>> store,
            SmtpPolicy policy) {
        MailDelivery delivery = (_, _) -> (transaction, onOutcome) -> {
            var _ = store.apply(transaction).thenAccept(onOutcome);
        };
        Map<String, String> whole = new HashMap<>(settings);
        whole.keySet().removeIf(name -> !name.startsWith("oneshot."));
        return new AuthenticationSettings(
                TestSettings.of(AuthenticationConfig.class, whole),
                TestSettings.of(DnsConfig.class, whole),
                delivery,
                policy,
                new SimpleMeterRegistry(),
                Clock.systemUTC());
    }

    int port() {
        return listener.port();
    }

    SmtpListener listener() {
        return listener;
    }

    /** Tells the server of a new certificate, as the registry would. */
    void renew(SmtpCertificate certificate) {
        tls.renew(new CertificateUpdatedEvent("smtp", certificate));
    }

    /** The value of a gauge. */
    double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    MessageMemory memory() {
        return memory;
    }

    /** The number of open connections. */
    int connections() {
        return clients.connections();
    }

    @Override
    public void close() {
        vertx.undeploy(deployment)
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Memory of this size; messages do not wait for it. */
    static MessageMemory memoryOf(long bytes) {
        return new MessageMemory(bytes, policy().messageBytesMax() + 64 * 1024, Duration.ZERO);
    }

    /** A policy whose bounds no test of the transport reaches. */
    static SmtpPolicy policy() {
        return Transcript.policyOf(
                "messageBytesMax=1048576",
                "commandsMax=1000000",
                "contentLineBytesMax=100000",
                "postmaster=ops@example.org");
    }
}
