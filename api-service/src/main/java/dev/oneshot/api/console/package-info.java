/** Serves the console, the web page in the folder {@code console} of the project. It is a client of the public API like any other. */
@NullMarked
package dev.oneshot.api.console;

import org.jspecify.annotations.NullMarked;
