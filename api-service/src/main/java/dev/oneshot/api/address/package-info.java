/** One-shot addresses: made, read, listed and deleted. What arrives at them is in {@code inbox}. */
@NullMarked
package dev.oneshot.api.address;

import org.jspecify.annotations.NullMarked;
