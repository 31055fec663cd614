/** Looks over all settings together, beside the checks of each feature: what is set and is nobody's is misspelt. */
@NullMarked
package dev.oneshot.ingest.configuration;

import org.jspecify.annotations.NullMarked;
