/** Statements, transactions and what their failures mean. */
@NullMarked
package dev.oneshot.api.database;

import org.jspecify.annotations.NullMarked;
