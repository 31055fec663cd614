/**
 * Every error response of this service, its body, and the one place where exceptions become errors. Depends on no other package of
 * the service.
 */
@NullMarked
package dev.oneshot.api.error;

import org.jspecify.annotations.NullMarked;
