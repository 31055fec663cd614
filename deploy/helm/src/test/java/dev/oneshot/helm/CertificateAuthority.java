package dev.oneshot.helm;

import dev.oneshot.local.backends.KeyStoreFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Signs certificates, as a cluster's authority does.
 *
 * @param keys its key and all certificates that it has signed
 */
record CertificateAuthority(KeyStoreFile keys) {

    private static final String ITSELF = "ca";

    /**
     * The contents of a {@code kubernetes.io/tls} Secret.
     *
     * @param certificate PEM
     * @param privateKey PKCS#8 in PEM
     */
    record Pair(String certificate, String privateKey) {}

    static CertificateAuthority in(Path directory, String name) throws Exception {
        CertificateAuthority authority = new CertificateAuthority(new KeyStoreFile(directory.resolve(name + ".p12")));
        authority.keys.add(ITSELF, name, "EC", "-ext", "bc:critical=ca:true");
        return authority;
    }

    /** Its own certificate, PEM. */
    String certificate() throws Exception {
        return keys.certificate(ITSELF);
    }

    /** A certificate for a server on 127.0.0.1. */
    Pair server() throws Exception {
        return sign("server", "EC", "-ext", "san=ip:127.0.0.1");
    }

    /** A certificate for a user of this name, with a key of this algorithm. */
    Pair client(String name, String keyAlgorithm) throws Exception {
        return sign(name, keyAlgorithm);
    }

    private Pair sign(String name, String keyAlgorithm, String... extensions) throws Exception {
        List<String> options = new ArrayList<>(List.of("-signer", ITSELF));
        options.addAll(List.of(extensions));
        keys.add(name, name, keyAlgorithm, options.toArray(String[]::new));
        return new Pair(keys.certificate(name), keys.privateKey(name));
    }
}
