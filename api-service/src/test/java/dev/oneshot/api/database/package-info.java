/** Tests of the database. */
@NullMarked
package dev.oneshot.api.database;

import org.jspecify.annotations.NullMarked;
