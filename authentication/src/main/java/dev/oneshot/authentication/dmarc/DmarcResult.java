package dev.oneshot.authentication.dmarc;

/**
 * The result of DMARC.
 *
 * @param policy what the domain owner asks for mail that fails: {@code none}, {@code quarantine} or
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
