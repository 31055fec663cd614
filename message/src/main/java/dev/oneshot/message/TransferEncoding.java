package dev.oneshot.message;

/** How the octets of a part are encoded for transport (RFC 2045 §6), once unknown and damaged labels are settled. */
public enum TransferEncoding {
    /** 7bit, 8bit, binary, none or an unknown one: the octets as they are. */
    IDENTITY,
    /** RFC 2045 §6.8, read leniently: foreign characters are skipped, missing padding is supplied. */
    BASE64,
    /** RFC 2045 §6.7, read leniently: what is no escape stands for itself. */
    QUOTED_PRINTABLE,
    /** The encoding of uuencode, named by {@code x-uuencode} and its variants. */
    UUENCODE
}
