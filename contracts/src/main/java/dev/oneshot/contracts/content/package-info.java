/** What is stored of a received mail: its structure and its message, compressed once, by ingest. */
@NullMarked
package dev.oneshot.contracts.content;

import org.jspecify.annotations.NullMarked;
