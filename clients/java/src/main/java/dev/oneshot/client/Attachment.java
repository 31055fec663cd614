package dev.oneshot.client;

import org.jspecify.annotations.Nullable;

/**
 * An attachment without its content, which {@link OneshotClient#getAttachment} returns.
 *
 * @param filename without a path
 * @param contentType the media type
 * @param sizeBytes the size of the decoded content in bytes
 * @param downloadUrl relative to the base URL
 * @param contentId its Content-ID without angle brackets, as URLs {@code cid:} in the HTML name it; null if it has none
 * @param contentLocation the URL by which the HTML refers to it (RFC 2557), absolute or relative; null if it has none
 */
public record Attachment(
        String filename,
        String contentType,
        long sizeBytes,
        String downloadUrl,
        @Nullable String contentId,
        @Nullable String contentLocation) {}
