/** The way to PostgreSQL: short pieces of work on a borrowed connection, and what their failures mean. */
@NullMarked
package dev.oneshot.api.database;

import org.jspecify.annotations.NullMarked;
