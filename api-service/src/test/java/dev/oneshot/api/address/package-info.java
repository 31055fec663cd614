/** Tests of addresses. */
@NullMarked
package dev.oneshot.api.address;

import org.jspecify.annotations.NullMarked;
