package dev.oneshot.fuzz;

import java.nio.charset.StandardCharsets;

/** A target that chance alone would not break in a lifetime. */
final class PlantedBug {

    static final String WORD = "guided!";

    private PlantedBug() {}

    /** Entered by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] octets) {
        Law.requires(!new String(octets, StandardCharsets.ISO_8859_1).contains(WORD), () -> "the planted bug");
    }
}
