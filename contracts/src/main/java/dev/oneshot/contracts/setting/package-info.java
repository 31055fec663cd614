/** How settings are called in the environment, the same for every service. */
@NullMarked
package dev.oneshot.contracts.setting;

import org.jspecify.annotations.NullMarked;
