/** Tests of what holds for all settings. */
@NullMarked
package dev.oneshot.api.configuration;

import org.jspecify.annotations.NullMarked;
