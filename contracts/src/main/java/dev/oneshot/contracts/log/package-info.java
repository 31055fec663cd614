/** What all services do so that a fault does not fill their logs. */
@NullMarked
package dev.oneshot.contracts.log;

import org.jspecify.annotations.NullMarked;
