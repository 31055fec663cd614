/** Assembles the contents of the images, and starts them as in a container, but without one. */
@NullMarked
package dev.oneshot.images;

import org.jspecify.annotations.NullMarked;
