package dev.oneshot.ingest.net;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a server's certificate, which can be renewed at any time. A handshake reads them several times and
 * always gets the keys it began with: their number is part of the alias. With Vert.x's {@code updateSSLOptions},
 * handshakes that begin during a renewal fail.
 */
final class RenewableKeys extends X509ExtendedKeyManager {

    /** More renewals than can happen during one handshake. */
    private static final int KEPT = 100;

    private static final String SEPARATOR = "/";

    private final Map<Integer, X509ExtendedKeyManager> byNumber = new ConcurrentHashMap<>();
    private volatile int current;

    RenewableKeys(X509ExtendedKeyManager keys) {
        byNumber.put(current, keys);
    }

    /** Uses these keys for new handshakes. */
    synchronized void renew(X509ExtendedKeyManager keys) {
        int next = current + 1;
        byNumber.put(next, keys);
        current = next;
        byNumber.remove(next - KEPT);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        int number = current;
        return numbered(number, keys(number).chooseEngineServerAlias(keyType, issuers, engine));
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        int number = current;
        return numbered(number, keys(number).chooseServerAlias(keyType, issuers, socket));
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

    private static @Nullable String numbered(int number, @Nullable String alias) {
        return alias == null ? null : number + SEPARATOR + alias;
    }

    private X509ExtendedKeyManager keys(String alias) {
        return keys(Integer.parseInt(alias.substring(0, alias.indexOf(SEPARATOR))));
    }

    private X509ExtendedKeyManager keys(int number) {
        return Objects.requireNonNull(byNumber.get(number), "the handshake began too many renewals ago");
    }

    private static String within(String alias) {
        return alias.substring(alias.indexOf(SEPARATOR) + SEPARATOR.length());
    }
}
