/** Removal of accounts. */
@NullMarked
package dev.oneshot.api.removal;

import org.jspecify.annotations.NullMarked;
