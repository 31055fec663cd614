/** Every error response of this service and its body. Depends on no other package of the service. */
@NullMarked
package dev.oneshot.api.error;

import org.jspecify.annotations.NullMarked;
