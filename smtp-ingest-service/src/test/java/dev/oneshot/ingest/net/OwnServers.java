package dev.oneshot.ingest.net;

import io.vertx.core.Vertx;
import java.nio.file.Path;
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
        // Read now, as the folder is gone before the last server starts.
        certificate.getKeyStoreOptions().getKeyManagerFactory(vertx);
    }

    @AfterAll
    void closeVertx() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }
}
