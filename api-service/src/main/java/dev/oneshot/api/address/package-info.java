/** One-shot addresses: created, read, listed and deleted. Their mail is in {@code inbox}. */
@NullMarked
package dev.oneshot.api.address;

import org.jspecify.annotations.NullMarked;
