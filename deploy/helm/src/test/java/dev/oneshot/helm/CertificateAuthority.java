package dev.oneshot.helm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Signs certificates, as a cluster's own authority does.
 *
 * @param keys a PKCS12 file with its key and all it has signed
 */
record CertificateAuthority(Path keys) {

    private static final String PASSWORD = "changeit";
    private static final String ITSELF = "ca";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /**
     * What {@code kubernetes.io/tls} Secrets hold.
     *
     * @param certificate PEM
     * @param privateKey PKCS#8 in PEM
     */
    record Pair(String certificate, String privateKey) {}

    static CertificateAuthority in(Path directory, String name) throws Exception {
        CertificateAuthority authority = new CertificateAuthority(directory.resolve(name + ".p12"));
        authority.keytool(ITSELF, name, "EC", "-ext", "bc:critical=ca:true");
        return authority;
    }

    /** Its own certificate, PEM. */
    String certificate() throws Exception {
        return pem("CERTIFICATE", load().getCertificate(ITSELF).getEncoded());
    }

    /** A certificate for a server on 127.0.0.1. */
    Pair server() throws Exception {
        return sign("server", "EC", "-ext", "san=ip:127.0.0.1");
    }

    /** A certificate for a user of this name, with a key of this kind. */
    Pair client(String name, String keyAlgorithm) throws Exception {
        return sign(name, keyAlgorithm);
    }

    private Pair sign(String name, String keyAlgorithm, String... extensions) throws Exception {
        List<String> options = new ArrayList<>(List.of("-signer", ITSELF));
        options.addAll(List.of(extensions));
        keytool(name, name, keyAlgorithm, options.toArray(String[]::new));
        KeyStore store = load();
        return new Pair(
                pem("CERTIFICATE", store.getCertificate(name).getEncoded()),
                pem("PRIVATE KEY", store.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    }

    private void keytool(String alias, String commonName, String keyAlgorithm, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                keyAlgorithm,
                "-alias",
                alias,
                "-dname",
                "CN=" + commonName,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                keys.toString()));
        command.addAll(List.of(options));
        Process keytool = new ProcessBuilder(command).inheritIO().start();
        if (!keytool.waitFor(1, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
            throw new IOException("keytool made no certificate for " + commonName);
        }
    }

    private KeyStore load() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(keys)) {
            store.load(content, PASSWORD.toCharArray());
        }
        return store;
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + LINES.encodeToString(content) + "\n-----END " + label + "-----\n";
    }
}
