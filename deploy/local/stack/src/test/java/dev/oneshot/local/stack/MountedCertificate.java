package dev.oneshot.local.stack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A Secret of type {@code kubernetes.io/tls}, mounted as the kubelet does it: the files are links through a directory
 * {@code ..data}, which itself is a link that is replaced in one go.
 */
record MountedCertificate(Path directory) {

    static final String PASSWORD = "changeit";
    private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

    static MountedCertificate of(Path directory, String commonName) throws Exception {
        MountedCertificate mounted = new MountedCertificate(directory);
        mounted.renew(commonName);
        for (String file : new String[] {"tls.crt", "tls.key"}) {
            Files.createSymbolicLink(directory.resolve(file), Path.of("..data", file));
        }
        return mounted;
    }

    /** Puts another key and certificate in place of those that are there. */
    void renew(String commonName) throws IOException, GeneralSecurityException, InterruptedException {
        Path version = Files.createTempDirectory(directory, "..version-");
        KeyStore keys = generate(version.resolve("keys.p12"), commonName);
        write(
                version.resolve("tls.key"),
                "PRIVATE KEY",
                keys.getKey("smtp", PASSWORD.toCharArray()).getEncoded());
        write(
                version.resolve("tls.crt"),
                "CERTIFICATE",
                keys.getCertificate("smtp").getEncoded());
        Path link = Files.createSymbolicLink(directory.resolve("..data_tmp"), version.getFileName());
        Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Makes a new key and certificate in a PKCS12 file. */
    static KeyStore generate(Path file, String commonName)
            throws IOException, GeneralSecurityException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "smtp",
                        "-dname",
                        "CN=" + commonName,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start();
        if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool did not make a certificate");
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(file)) {
            keys.load(content, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static void write(Path file, String label, byte[] content) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + label + "-----\n" + PEM.encodeToString(content) + "\n-----END " + label + "-----\n");
    }
}
