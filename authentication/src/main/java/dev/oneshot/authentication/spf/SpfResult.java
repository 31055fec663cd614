package dev.oneshot.authentication.spf;

/** The results of a check (RFC 7208 §2.6). */
public enum SpfResult {
    NONE,
    NEUTRAL,
    PASS,
    FAIL,
    SOFTFAIL,
    TEMPERROR,
    PERMERROR
}
