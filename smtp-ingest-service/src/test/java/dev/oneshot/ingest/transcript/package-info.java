/** SMTP dialogues as text files, and the classes that play them. A page in their folder describes the format. */
@NullMarked
package dev.oneshot.ingest.transcript;

import org.jspecify.annotations.NullMarked;
