/** The work that services do while the AOT caches of their images are recorded. */
@NullMarked
package dev.oneshot.images.training;

import org.jspecify.annotations.NullMarked;
