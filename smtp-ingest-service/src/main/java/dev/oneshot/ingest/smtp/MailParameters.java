package dev.oneshot.ingest.smtp;

/**
 * What the parameters of MAIL say.
 *
 * @param declaredBytes the size the client declares (RFC 1870), 0 if it declares none; only a hint
 * @param body how the content is to be taken (RFC 6152, RFC 3030)
 * @param smtpUtf8 whether addresses and header may be UTF-8 (RFC 6531)
 */
record MailParameters(long declaredBytes, Body body, boolean smtpUtf8) {

    /** The values of BODY. */
    enum Body {
        SEVEN_BIT,
        EIGHT_BIT_MIME,
        BINARY_MIME
    }
}
