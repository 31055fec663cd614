/** HTTP in front of the resources: filters, paths and methods, CORS, compression, and error bodies. */
@NullMarked
package dev.oneshot.api.http;

import org.jspecify.annotations.NullMarked;
