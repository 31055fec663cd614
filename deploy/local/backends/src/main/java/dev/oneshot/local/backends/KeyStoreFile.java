package dev.oneshot.local.backends;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A PKCS12 file of keys and certificates, for the local stack and tests. keytool creates them, as the JDK has no
 * public class for it.
 *
 * @param path the file, which the first key creates
 */
public record KeyStoreFile(Path path) {

    /** The password of the file and of each key in it. */
    public static final String PASSWORD = "changeit";

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /**
     * Adds a key with a certificate. The certificate is self-signed unless the options name another signer.
     *
     * @param alias the key's name in the file
     * @param keyAlgorithm {@code EC} or {@code RSA}
     * @param options further options of keytool, as in {@code -ext san=ip:127.0.0.1}
     * @throws IllegalStateException with keytool's output, if it fails
     */
    public void add(String alias, String commonName, String keyAlgorithm, String... options) throws IOException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = new ArrayList<>(List.of(keytool.toString(), "-genkeypair", "-keyalg", keyAlgorithm));
        command.addAll(List.of("-alias", alias, "-dname", "CN=" + commonName, "-keystore", path.toString()));
        // With C1 alone, keytool takes half as long.
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-J-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        Program.run(command);
    }

    /** Reads the file. */
    public KeyStore load() throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(path.toFile(), PASSWORD.toCharArray());
    }

    /** TLS with its keys. */
    public SSLContext sslContext() throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(load(), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** A key's certificate, PEM. */
    public String certificate(String alias) throws IOException, GeneralSecurityException {
        return pem("CERTIFICATE", load().getCertificate(alias).getEncoded());
    }

    /** A private key, PKCS#8 in PEM. */
    public String privateKey(String alias) throws IOException, GeneralSecurityException {
        return pem("PRIVATE KEY", load().getKey(alias, PASSWORD.toCharArray()).getEncoded());
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + LINES.encodeToString(content) + "\n-----END " + label + "-----\n";
    }
}
