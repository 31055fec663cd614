/** Credits and their ledger. */
@NullMarked
package dev.oneshot.api.credit;

import org.jspecify.annotations.NullMarked;
