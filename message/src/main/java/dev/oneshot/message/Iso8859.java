package dev.oneshot.message;

/** The parts of ISO 8859 that the JDK does not know. Safe for any number of threads. */
final class Iso8859 {

    /** Nordic. */
    static final Iso8859 PART_10 = new Iso8859("\u00A0ĄĒĢĪĨĶ§ĻĐŠŦŽ\u00ADŪŊ°ąēģīĩķ·ļđšŧž―ūŋ"
            + "ĀÁÂÃÄÅÆĮČÉĘËĖÍÎÏÐŅŌÓÔÕÖŨØŲÚÛÜÝÞß"
            + "āáâãäåæįčéęëėíîïðņōóôõöũøųúûüýþĸ");

    /** Celtic. */
    static final Iso8859 PART_14 = new Iso8859("\u00A0Ḃḃ£ĊċḊ§Ẁ©ẂḋỲ\u00AD®ŸḞḟĠġṀṁ¶ṖẁṗẃṠỳẄẅṡ"
            + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏŴÑÒÓÔÕÖṪØÙÚÛÜÝŶß"
            + "àáâãäåæçèéêëìíîïŵñòóôõöṫøùúûüýŷÿ");

    private static final int UPPER = 0xA0;

    private final String upper;

    private Iso8859(String upper) {
        this.upper = upper;
    }

    String decode(byte[] octets, int from, int to) {
        StringBuilder text = new StringBuilder(to - from);
        for (int i = from; i < to; i++) {
            int octet = octets[i] & 0xFF;
            text.append(octet < UPPER ? (char) octet : upper.charAt(octet - UPPER));
        }
        return text.toString();
    }
}
