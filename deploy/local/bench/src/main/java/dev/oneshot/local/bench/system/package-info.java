/** What is measured: a stack of its own for each benchmark, its processes, and the ceilings beside it. */
@NullMarked
package dev.oneshot.local.bench.system;

import org.jspecify.annotations.NullMarked;
