/** What holds for the settings of every service. */
@NullMarked
package dev.oneshot.contracts.setting;

import org.jspecify.annotations.NullMarked;
