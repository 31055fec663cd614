/** Deletes addresses and accounts with everything they own. */
@NullMarked
package dev.oneshot.api.removal;

import org.jspecify.annotations.NullMarked;
