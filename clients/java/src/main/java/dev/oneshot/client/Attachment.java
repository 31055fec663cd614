package dev.oneshot.client;

/**
 * An attachment without its content, which {@link OneshotClient#getAttachment} returns.
 *
 * @param filename without a path
 * @param contentType the media type
 * @param sizeBytes the size of the decoded content in bytes
 * @param downloadUrl relative to the base URL
 */
public record Attachment(String filename, String contentType, long sizeBytes, String downloadUrl) {}
