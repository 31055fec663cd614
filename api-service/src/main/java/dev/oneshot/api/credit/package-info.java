/** Credits: a ledger that only grows, purchases, and the port through which they are paid. */
@NullMarked
package dev.oneshot.api.credit;

import org.jspecify.annotations.NullMarked;
