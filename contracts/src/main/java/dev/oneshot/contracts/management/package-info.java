/** Routes of the management ports, and the metric of the version, that all services share. */
@NullMarked
package dev.oneshot.contracts.management;

import org.jspecify.annotations.NullMarked;
