/** Routes that the management ports of all services share. */
@NullMarked
package dev.oneshot.contracts.management;

import org.jspecify.annotations.NullMarked;
