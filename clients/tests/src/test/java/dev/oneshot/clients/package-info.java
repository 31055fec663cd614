/** The clients of all languages on the packaged services. */
@NullMarked
package dev.oneshot.clients;

import org.jspecify.annotations.NullMarked;
