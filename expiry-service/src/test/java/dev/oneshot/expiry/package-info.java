/** Tests of the whole service, and what they share. */
@NullMarked
package dev.oneshot.expiry;

import org.jspecify.annotations.NullMarked;
