package dev.oneshot.ingest.smtp.data;

/**
 * Recognizes a mail when its sender retries. The checksum need not be cryptographic: a sender who makes two mails
 * look alike only loses the second.
 *
 * @param reversePath without brackets
 * @param contentBytes how many bytes the client sent
 * @param checksum CRC-32C of them
 */
public record MessageFingerprint(String reversePath, long contentBytes, long checksum) {}
