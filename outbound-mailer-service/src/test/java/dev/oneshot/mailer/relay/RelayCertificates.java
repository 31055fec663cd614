package dev.oneshot.mailer.relay;

import dev.oneshot.local.backends.KeyStoreFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import javax.net.ssl.SSLContext;

/**
 * Self-signed certificates of two hosts.
 *
 * @param own of a relay on localhost
 * @param other of another host
 * @param trusted both, in PEM, for the relay's clients
 */
public record RelayCertificates(SSLContext own, SSLContext other, Path trusted) {

    /** Makes new ones in a directory. */
    public static RelayCertificates make(Path directory) throws Exception {
        Path trusted = Files.createFile(directory.resolve("trusted.pem"));
        return new RelayCertificates(
                certificate(directory, "localhost", trusted),
                certificate(directory, "other.example.org", trusted),
                trusted);
    }

    private static SSLContext certificate(Path directory, String host, Path trusted) throws Exception {
        KeyStoreFile file = new KeyStoreFile(directory.resolve(host + ".p12"));
        file.add(host, host, "EC", "-ext", "SAN=dns:" + host);
        Files.writeString(trusted, file.certificate(host), StandardOpenOption.APPEND);
        return file.sslContext();
    }
}
