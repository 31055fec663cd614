/**
 * Requests and responses of HTTP: the order of checks, request ids, bounds, memory, connections, and error bodies where a framework
 * would send its own response.
 */
@NullMarked
package dev.oneshot.api.http;

import org.jspecify.annotations.NullMarked;
