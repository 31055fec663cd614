/** Bounds the memory of all arriving messages, and decides which of them waits for more. */
@NullMarked
package dev.oneshot.ingest.memory;

import org.jspecify.annotations.NullMarked;
