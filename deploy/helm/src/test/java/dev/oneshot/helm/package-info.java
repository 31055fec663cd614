/**
 * Tests of the chart: the real Helm engine installs it into a server that stores the objects, which the tests then
 * check.
 */
@NullMarked
package dev.oneshot.helm;

import org.jspecify.annotations.NullMarked;
