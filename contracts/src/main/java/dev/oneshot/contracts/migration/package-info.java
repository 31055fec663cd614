/** What the database is made of: the scripts in {@code db/migration}. */
@NullMarked
package dev.oneshot.contracts.migration;

import org.jspecify.annotations.NullMarked;
