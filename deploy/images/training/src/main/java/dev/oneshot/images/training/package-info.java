/** The work that services do while the AOT caches of their images are recorded. */
@NullMarked
package dev.oneshot.local.bench.training;

import org.jspecify.annotations.NullMarked;
