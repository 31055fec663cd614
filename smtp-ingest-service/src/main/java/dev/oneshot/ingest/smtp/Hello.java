package dev.oneshot.ingest.smtp;

/**
 * How a client introduced itself.
 *
 * @param extended with EHLO rather than HELO
 * @param name what it calls itself; believed by nobody
 */
record Hello(boolean extended, String name) {}
