/** The service under test, with its real database and broker. */
@NullMarked
package dev.oneshot.api;

import org.jspecify.annotations.NullMarked;
