/** The scripts of the database schema, in {@code db/migration}. */
@NullMarked
package dev.oneshot.contracts.migration;

import org.jspecify.annotations.NullMarked;
