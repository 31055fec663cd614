/** Migrates the database, without blocking the version that still runs. */
@NullMarked
package dev.oneshot.api.migration;

import org.jspecify.annotations.NullMarked;
