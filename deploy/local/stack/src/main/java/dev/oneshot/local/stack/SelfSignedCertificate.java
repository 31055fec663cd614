package dev.oneshot.local.stack;

import dev.oneshot.local.backends.KeyStoreFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** The certificate for {@code ONESHOT_SMTP_TLS=self-signed}, created once and kept with the stack's data. */
final class SelfSignedCertificate {

    private static final String DAYS = "1825";
    private static final String NAMES = "san=dns:in.oneshot.localhost,dns:localhost,ip:127.0.0.1";

    private SelfSignedCertificate() {}

    /** The settings of smtp-ingest-service for the certificate, which is created if missing. */
    static Map<String, String> settings(Path state) {
        Path file = state.resolve("smtp-tls.p12");
        try {
            if (Files.notExists(file)) {
                // keytool writes into an empty directory that only its owner can enter.
                Path directory = Files.createTempDirectory(state, "keytool");
                Path made = directory.resolve(file.getFileName());
                new KeyStoreFile(made).add("smtp", "in.oneshot.localhost", "EC", "-validity", DAYS, "-ext", NAMES);
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
                Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a certificate in " + file, e);
        }
        return Map.of(
                "ONESHOT_SMTP_TLS_CONFIGURATION_NAME",
                "smtp",
                "QUARKUS_TLS__SMTP__KEY_STORE_P12_PATH",
                file.toString(),
                "QUARKUS_TLS__SMTP__KEY_STORE_P12_PASSWORD",
                KeyStoreFile.PASSWORD);
    }
}
