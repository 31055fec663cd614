/** Serves the description of the public API, which is written by hand in {@code META-INF/openapi.yaml}. */
@NullMarked
package dev.oneshot.api.openapi;

import org.jspecify.annotations.NullMarked;
