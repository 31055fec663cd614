package dev.oneshot.client;

/**
 * A purchase of credits.
 *
 * @param creditsAdded how many were added
 * @param credits the balance after that
 * @param reference the name of the purchase
 */
public record CreditsAdded(long creditsAdded, long credits, String reference) {}
