@NullMarked
package dev.oneshot.api.console;

import org.jspecify.annotations.NullMarked;
