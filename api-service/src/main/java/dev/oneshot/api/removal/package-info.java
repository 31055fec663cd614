/** The end of an account: everything it owns, removed piece by piece and to the end. */
@NullMarked
package dev.oneshot.api.removal;

import org.jspecify.annotations.NullMarked;
