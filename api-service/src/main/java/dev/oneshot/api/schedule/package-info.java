/** Scheduled tasks, and a stop that waits for them. */
@NullMarked
package dev.oneshot.api.schedule;

import org.jspecify.annotations.NullMarked;
