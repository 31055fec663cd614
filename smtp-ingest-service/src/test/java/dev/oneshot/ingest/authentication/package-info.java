/** Tests of verdicts, with a real name server. */
@org.jspecify.annotations.NullMarked
package dev.oneshot.ingest.authentication;
