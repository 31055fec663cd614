/** Keeps repeated faults from filling the logs. */
@NullMarked
package dev.oneshot.contracts.log;

import org.jspecify.annotations.NullMarked;
