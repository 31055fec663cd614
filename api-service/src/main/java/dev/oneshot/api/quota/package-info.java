/** Charges creates to the allocation, then to credits, or rejects with 402. Sells credits. */
@NullMarked
package dev.oneshot.api.quota;

import org.jspecify.annotations.NullMarked;
