/** Work outside of requests, and a stop that waits for it. */
@NullMarked
package dev.oneshot.api.background;

import org.jspecify.annotations.NullMarked;
