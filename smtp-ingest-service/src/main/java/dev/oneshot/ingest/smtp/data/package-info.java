/**
 * Collects the content of a message within its bounds: removes dot-stuffing and forged results, and adds trace
 * fields.
 */
@NullMarked
package dev.oneshot.ingest.smtp.data;

import org.jspecify.annotations.NullMarked;
