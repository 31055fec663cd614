/**
 * The edge of the service: request ids, the caller of a request, JSON read strictly, and the error envelope wherever
 * a framework would answer itself.
 */
@NullMarked
package dev.oneshot.api.http;

import org.jspecify.annotations.NullMarked;
