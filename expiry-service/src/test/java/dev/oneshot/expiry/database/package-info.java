/** The database of the tests, migrated as in api-service and used in the role of this service. */
@NullMarked
package dev.oneshot.expiry.database;

import org.jspecify.annotations.NullMarked;
