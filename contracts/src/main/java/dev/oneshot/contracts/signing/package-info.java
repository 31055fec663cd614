/** Secrets that sign what the services issue, so that it verifies without a look-up. */
@NullMarked
package dev.oneshot.contracts.signing;

import org.jspecify.annotations.NullMarked;
