/** SMTP dialogues as text files, and what plays them. The format is described in the folder of the files. */
@NullMarked
package dev.oneshot.ingest.transcript;

import org.jspecify.annotations.NullMarked;
