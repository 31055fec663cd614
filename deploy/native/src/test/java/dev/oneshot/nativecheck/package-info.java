/** What native-image is given for each service, compared with what the service does. */
@NullMarked
package dev.oneshot.nativecheck;

import org.jspecify.annotations.NullMarked;
