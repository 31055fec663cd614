/** The system under test: a stack for each benchmark, its processes and database, and the server of the ceilings. */
@NullMarked
package dev.oneshot.local.bench.system;

import org.jspecify.annotations.NullMarked;
