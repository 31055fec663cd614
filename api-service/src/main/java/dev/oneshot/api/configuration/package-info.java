/** What holds for the settings of all features: that there are no others. */
@NullMarked
package dev.oneshot.api.configuration;

import org.jspecify.annotations.NullMarked;
