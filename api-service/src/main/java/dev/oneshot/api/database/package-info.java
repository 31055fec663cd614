/** Statements, transactions and their failures. */
@NullMarked
package dev.oneshot.api.database;

import org.jspecify.annotations.NullMarked;
