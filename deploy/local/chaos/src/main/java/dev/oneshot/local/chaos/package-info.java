/** {@code ./oneshot chaos}: faults of a replicated stack under load, and the fate of each mail. */
@NullMarked
package dev.oneshot.local.chaos;

import org.jspecify.annotations.NullMarked;
