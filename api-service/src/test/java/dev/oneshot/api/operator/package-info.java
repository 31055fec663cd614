/** Tests of the operator API. */
@NullMarked
package dev.oneshot.api.operator;

import org.jspecify.annotations.NullMarked;
