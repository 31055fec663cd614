/** Checks of settings that all services share. */
@NullMarked
package dev.oneshot.contracts.setting;

import org.jspecify.annotations.NullMarked;
