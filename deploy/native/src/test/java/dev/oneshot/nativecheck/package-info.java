/** Compares the input of native-image with what each service needs at run time. */
@NullMarked
package dev.oneshot.nativecheck;

import org.jspecify.annotations.NullMarked;
