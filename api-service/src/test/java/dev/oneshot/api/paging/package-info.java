/** Tests of paging. */
@NullMarked
package dev.oneshot.api.paging;

import org.jspecify.annotations.NullMarked;
