package dev.oneshot.ingest.net;

import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests that start servers of their own, all with one certificate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OwnServers {

    final Vertx vertx = Vertx.vertx();
    SmtpCertificate certificate;

    @BeforeAll
    void makeCertificate(@TempDir Path folder) throws Exception {
        certificate = SmtpCertificate.create(folder.resolve("smtp.p12"), "mx.example");
    }

    /** A server with ten megabytes of memory that stores each mail. */
    SmtpTestServer server(Map<String, String> settings) {
        return server(certificate, settings);
    }

    /** The same with another certificate. */
    SmtpTestServer server(SmtpCertificate other, Map<String, String> settings) {
        return new SmtpTestServer(
                vertx,
                SmtpTestServer.policy(),
                SmtpTestServer.memoryOf(10_000_000),
                other.asRegistry(),
                settings,
                _ -> CompletableFuture.completedFuture(DeliveryOutcome.STORED));
    }

    SmtpTestServer server(
            Map<String, String> settings, Function<MailTransaction, CompletionStage<DeliveryOutcome>> delivery) {
        return server(SmtpTestServer.memoryOf(10_000_000), settings, delivery);
    }

    SmtpTestServer server(
            MessageMemory memory,
            Map<String, String> settings,
            Function<MailTransaction, CompletionStage<DeliveryOutcome>> delivery) {
        return new SmtpTestServer(vertx, SmtpTestServer.policy(), memory, certificate.asRegistry(), settings, delivery);
    }

    @AfterAll
    void closeVertx() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }
}
