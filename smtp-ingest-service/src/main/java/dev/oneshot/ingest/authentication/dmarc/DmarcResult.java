package dev.oneshot.ingest.authentication.dmarc;

/**
 * What was found.
 *
 * @param policy what the domain's owner wants of such mail if it fails: {@code none}, {@code quarantine} or
 *     {@code reject}; empty if there is no policy record
 */
public record DmarcResult(Verdict verdict, String policy) {

    /** The results of RFC 9989 §4.5 in the words of RFC 8601. */
    public enum Verdict {
        NONE,
        PASS,
        FAIL,
        TEMPERROR,
        PERMERROR
    }
}
