package dev.oneshot.client;

/**
 * A link of an e-mail.
 *
 * @param text what the link shows, with white space collapsed: the text, an image's description, or the URL itself
 * @param href the URL, {@code http} or {@code https}, as the e-mail has it; it may be malformed
 */
public record Link(String text, String href) {}
