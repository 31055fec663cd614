package dev.oneshot.authentication.dkim;

/**
 * The result for one signature.
 *
 * @param domain the signing domain ({@code d=}); empty if it is not known, as are the following
 * @param selector {@code s=}
 * @param algorithm {@code a=}
 * @param signature the first characters of {@code b=}, which tell signatures apart (RFC 6008)
 * @param reason why the signature does not pass; empty if it does
 */
public record DkimResult(
        Verdict verdict, String domain, String selector, String algorithm, String signature, String reason) {

    /** The results of RFC 8601 §2.7.1. */
    public enum Verdict {
        NONE,
        PASS,
        FAIL,
        POLICY,
        NEUTRAL,
        TEMPERROR,
        PERMERROR
    }

    /** A result without a signature that can be named. */
    public static DkimResult unnamed(Verdict verdict, String reason) {
        return new DkimResult(verdict, "", "", "", "", reason);
    }
}
