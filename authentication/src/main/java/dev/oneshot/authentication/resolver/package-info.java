/** Looks up records at resolving name servers, and keeps the answers. */
@NullMarked
package dev.oneshot.authentication.resolver;

import org.jspecify.annotations.NullMarked;
