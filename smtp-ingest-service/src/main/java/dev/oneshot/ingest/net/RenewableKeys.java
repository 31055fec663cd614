package dev.oneshot.ingest.net;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a server's certificate, which can be renewed at any time. A handshake reads them several times and
 * always gets the keys it began with, as the alias has their number. With Vert.x's {@code updateSSLOptions},
 * handshakes that begin during a renewal fail.
 */
final class RenewableKeys extends X509ExtendedKeyManager {

    private static final String SEPARATOR = "/";

    private volatile Generations generations;

    private record Generation(int number, X509ExtendedKeyManager keys) {}

    private record Generations(Generation current, Generation before) {}

    RenewableKeys(X509ExtendedKeyManager keys) {
        Generation first = new Generation(0, keys);
        this.generations = new Generations(first, first);
    }

    /** Uses these keys for new handshakes. */
    synchronized void renew(X509ExtendedKeyManager keys) {
        Generation current = generations.current();
        generations = new Generations(new Generation(current.number() + 1, keys), current);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        Generation current = generations.current();
        return numbered(current, current.keys().chooseEngineServerAlias(keyType, issuers, engine));
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        Generation current = generations.current();
        return numbered(current, current.keys().chooseServerAlias(keyType, issuers, socket));
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return keys(alias).getCertificateChain(within(alias));
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return keys(alias).getPrivateKey(within(alias));
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        throw new UnsupportedOperationException("a handshake chooses one");
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        throw new UnsupportedOperationException("keys of a server");
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        throw new UnsupportedOperationException("keys of a server");
    }

    private static @Nullable String numbered(Generation generation, @Nullable String alias) {
        return alias == null ? null : generation.number() + SEPARATOR + alias;
    }

    private X509ExtendedKeyManager keys(String alias) {
        Generations known = generations;
        boolean current = alias.startsWith(known.current().number() + SEPARATOR);
        return (current ? known.current() : known.before()).keys();
    }

    private static String within(String alias) {
        return alias.substring(alias.indexOf(SEPARATOR) + SEPARATOR.length());
    }
}
