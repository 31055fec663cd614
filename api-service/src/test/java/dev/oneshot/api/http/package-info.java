/** Tests of the edge. */
@NullMarked
package dev.oneshot.api.http;

import org.jspecify.annotations.NullMarked;
