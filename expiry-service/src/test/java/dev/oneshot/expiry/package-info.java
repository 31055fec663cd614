/** The tests of the service as a whole, and what they share. */
@NullMarked
package dev.oneshot.expiry;

import org.jspecify.annotations.NullMarked;
