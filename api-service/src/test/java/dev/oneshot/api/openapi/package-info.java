/** The answers of all tests, held against the served description of the interface. */
@NullMarked
package dev.oneshot.api.openapi;

import org.jspecify.annotations.NullMarked;
