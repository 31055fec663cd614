package dev.oneshot.ingest.net;

import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests that start servers of their own, all with one certificate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OwnServers {

    final Vertx vertx = Vertx.vertx();
    /** The deliveries of servers that store each mail. */
    final Deque<MailTransaction> stored = new ConcurrentLinkedDeque<>();

    SmtpCertificate certificate;

    @BeforeAll
    void makeCertificate(@TempDir Path folder) throws Exception {
        certificate = SmtpCertificate.create(folder.resolve("smtp.p12"), "mx.example");
    }

    @AfterEach
    void forgetStored() {
        stored.clear();
    }

    /** A server with ten megabytes of memory that stores each mail. */
    SmtpTestServer server(Map<String, String> settings) {
        return server(settings, this::store);
    }

    SmtpTestServer server(
            Map<String, String> settings, Function<MailTransaction, CompletionStage<DeliveryOutcome>> store) {
        return server(SmtpTestServer.memoryOf(10_000_000), certificate, settings, store);
    }

    SmtpTestServer server(MessageMemory memory, Map<String, String> settings) {
        return server(memory, certificate, settings, this::store);
    }

    SmtpTestServer server(SmtpCertificate other, Map<String, String> settings) {
        return server(SmtpTestServer.memoryOf(10_000_000), other, settings, this::store);
    }

    private SmtpTestServer server(
            MessageMemory memory,
            SmtpCertificate used,
            Map<String, String> settings,
            Function<MailTransaction, CompletionStage<DeliveryOutcome>> store) {
        return new SmtpTestServer(vertx, SmtpTestServer.policy(), memory, used.asRegistry(), settings, store);
    }

    private CompletionStage<DeliveryOutcome> store(MailTransaction transaction) {
        stored.add(transaction);
        return CompletableFuture.completedFuture(DeliveryOutcome.STORED);
    }

    @AfterAll
    void closeVertx() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }
}
