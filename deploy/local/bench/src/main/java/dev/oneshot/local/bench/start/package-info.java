/** How soon a service is ready, and what it takes while it has nothing to do. */
@NullMarked
package dev.oneshot.local.bench.start;

import org.jspecify.annotations.NullMarked;
