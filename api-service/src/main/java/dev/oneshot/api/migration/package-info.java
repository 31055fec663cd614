/** The database is brought to what this version needs, without holding up the version that still works on it. */
@NullMarked
package dev.oneshot.api.migration;

import org.jspecify.annotations.NullMarked;
