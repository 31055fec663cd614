/** The clock of services. */
@NullMarked
package dev.oneshot.contracts.time;

import org.jspecify.annotations.NullMarked;
