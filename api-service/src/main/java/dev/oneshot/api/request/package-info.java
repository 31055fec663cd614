/** A request's path, its state, and the order of its checks. */
@NullMarked
package dev.oneshot.api.request;

import org.jspecify.annotations.NullMarked;
