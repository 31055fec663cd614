@NullMarked
package dev.oneshot.fuzz;

import org.jspecify.annotations.NullMarked;
