package dev.oneshot.endtoend;

import dev.oneshot.local.backends.KeyStoreFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;

/**
 * A Secret of type {@code kubernetes.io/tls}, mounted as the kubelet does: files are links through the link {@code
 * ..data}, which is replaced atomically.
 */
record MountedCertificate(Path directory) {

    static MountedCertificate of(Path directory, String commonName) throws Exception {
        MountedCertificate mounted = new MountedCertificate(directory);
        mounted.renew(commonName);
        for (String file : new String[] {"tls.crt", "tls.key"}) {
            Files.createSymbolicLink(directory.resolve(file), Path.of("..data", file));
        }
        return mounted;
    }

    /** Replaces key and certificate. */
    void renew(String commonName) throws IOException, GeneralSecurityException, InterruptedException {
        Path version = Files.createTempDirectory(directory, "..version-");
        KeyStoreFile keys = new KeyStoreFile(version.resolve("keys.p12"));
        keys.add("smtp", commonName, "EC");
        Files.writeString(version.resolve("tls.key"), keys.privateKey("smtp"));
        Files.writeString(version.resolve("tls.crt"), keys.certificate("smtp"));
        Path link = Files.createSymbolicLink(directory.resolve("..data_tmp"), version.getFileName());
        Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }
}
