/** A stack, and projects of npm, for JUnit tests. */
@NullMarked
package dev.oneshot.local.stack.junit;

import org.jspecify.annotations.NullMarked;
