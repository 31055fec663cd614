package dev.oneshot.ingest.smtp;

/**
 * The TLS parameters of a connection, for {@code Received}.
 *
 * @param protocol such as {@code TLSv1.3}
 * @param cipherSuite such as {@code TLS_AES_256_GCM_SHA384}
 */
public record TlsParameters(String protocol, String cipherSuite) {}
