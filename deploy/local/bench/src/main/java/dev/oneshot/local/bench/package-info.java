/** The benchmarks of {@code ./oneshot bench}: the command, the load, and the tables. Each benchmark is a package. */
@NullMarked
package dev.oneshot.local.bench;

import org.jspecify.annotations.NullMarked;
