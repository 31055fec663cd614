/** JSON bodies of requests: strict reading, and names of members in errors. */
@NullMarked
package dev.oneshot.api.json;

import org.jspecify.annotations.NullMarked;
