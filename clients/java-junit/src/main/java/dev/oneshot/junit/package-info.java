/** A one-shot address for each test. Start at {@link dev.oneshot.junit.OneshotExtension}. */
@NullMarked
package dev.oneshot.junit;

import org.jspecify.annotations.NullMarked;
