/** What every scheduled task of the service needs: a stop that waits for it. */
@NullMarked
package dev.oneshot.api.schedule;

import org.jspecify.annotations.NullMarked;
