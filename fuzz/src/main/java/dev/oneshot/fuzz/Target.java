package dev.oneshot.fuzz;

import java.util.Locale;

/** What can be fuzzed. */
enum Target {
    /** The reader of messages. */
    PARSER(
            ParserTarget.class,
            16 * 1024,
            "message/src/test/resources/dev/oneshot/message/fixtures, with what it should be read as"),
    /** The SMTP session. */
    SESSION(SessionTarget.class, 8 * 1024, "smtp-ingest-service/src/test/resources/transcripts");

    private final Class<?> entry;
    private final int inputBytesMax;
    private final String fixtures;

    Target(Class<?> entry, int inputBytesMax, String fixtures) {
        this.entry = entry;
        this.inputBytesMax = inputBytesMax;
        this.fixtures = fixtures;
    }

    /** As the command line names it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The class whose {@code fuzzerTestOneInput} tries an input. */
    Class<?> entry() {
        return entry;
    }

    /** The longest input that the fuzzer makes up; longer ones find the same more slowly. */
    int inputBytesMax() {
        return inputBytesMax;
    }

    /** Where a finding belongs, once it is understood. */
    String fixtures() {
        return fixtures;
    }
}
