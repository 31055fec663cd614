package dev.oneshot.ingest.net;

import dev.oneshot.local.backends.KeyStoreFile;
import io.quarkus.tls.BaseTlsConfiguration;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.quarkus.tls.runtime.config.TlsBucketConfig;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.SSLOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;

/** A self-signed certificate, as the TLS registry has it under the name {@code smtp}. */
final class SmtpCertificate extends BaseTlsConfiguration {

    /** The registry's value if {@code quarkus.tls.smtp.protocols} is not set. */
    private static final Set<String> PROTOCOLS = Set.of(TlsBucketConfig.DEFAULT_TLS_PROTOCOLS);

    private final PfxOptions keyStore;
    private final List<String> cipherSuites;

    private SmtpCertificate(PfxOptions keyStore, List<String> cipherSuites) {
        this.keyStore = keyStore;
        this.cipherSuites = cipherSuites;
    }

    /** The certificate in a file. */
    static SmtpCertificate of(Path file) {
        return new SmtpCertificate(
                new PfxOptions().setPath(file.toString()).setPassword(KeyStoreFile.PASSWORD), List.of());
    }

    /** The same with {@code quarkus.tls.smtp.cipher-suites}. */
    SmtpCertificate withCipherSuites(String... suites) {
        return new SmtpCertificate(keyStore, List.of(suites));
    }

    /** Makes a new key and certificate in a PKCS12 file. */
    static SmtpCertificate create(Path file, String commonName) throws IOException, InterruptedException {
        new KeyStoreFile(file).add("smtp", commonName, "EC");
        return of(file);
    }

    @Override
    public KeyCertOptions getKeyStoreOptions() {
        return keyStore;
    }

    @Override
    public KeyStore getKeyStore() {
        try {
            return new KeyStoreFile(Path.of(keyStore.getPath())).load();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** When the certificate of this name in the file expires, in seconds since 1970. */
    double expirySeconds(String alias) throws KeyStoreException {
        return ((X509Certificate) getKeyStore().getCertificate(alias))
                .getNotAfter()
                .toInstant()
                .getEpochSecond();
    }

    @Override
    public SSLContext createSSLContext() throws IOException, GeneralSecurityException {
        return new KeyStoreFile(Path.of(keyStore.getPath())).sslContext();
    }

    @Override
    public SSLOptions getSSLOptions() {
        SSLOptions options = new SSLOptions().setKeyCertOptions(keyStore).setEnabledSecureTransportProtocols(PROTOCOLS);
        cipherSuites.forEach(options::addEnabledCipherSuite);
        return options;
    }

    /** A registry with nothing but this. */
    TlsConfigurationRegistry asRegistry() {
        return new TlsConfigurationRegistry() {
            @Override
            public Optional<TlsConfiguration> get(String name) {
                return name.equals("smtp") ? Optional.of(SmtpCertificate.this) : Optional.empty();
            }

            @Override
            public Optional<TlsConfiguration> getDefault() {
                return Optional.empty();
            }

            @Override
            public void register(String name, TlsConfiguration configuration) {
                throw new UnsupportedOperationException();
            }
        };
    }
}
