/** Tests of migrations. */
@NullMarked
package dev.oneshot.api.migration;

import org.jspecify.annotations.NullMarked;
