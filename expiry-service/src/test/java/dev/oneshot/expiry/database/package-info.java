/** The database of the tests: a real one, migrated as api-service does it, used as the role of this service. */
@NullMarked
package dev.oneshot.expiry.database;

import org.jspecify.annotations.NullMarked;
