/** What the images contain, assembled and started as in a container, but without one. */
@NullMarked
package dev.oneshot.images;

import org.jspecify.annotations.NullMarked;
