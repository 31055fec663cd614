/** Compares the responses of all tests with the served description. */
@NullMarked
package dev.oneshot.api.openapi;

import org.jspecify.annotations.NullMarked;
