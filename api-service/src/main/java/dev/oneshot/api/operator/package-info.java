/** The operator's own interface on the management port, which is never public. */
@NullMarked
package dev.oneshot.api.operator;

import org.jspecify.annotations.NullMarked;
