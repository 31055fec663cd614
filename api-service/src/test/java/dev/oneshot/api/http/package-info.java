/** Tests of the HTTP interface. */
@NullMarked
package dev.oneshot.api.http;

import org.jspecify.annotations.NullMarked;
