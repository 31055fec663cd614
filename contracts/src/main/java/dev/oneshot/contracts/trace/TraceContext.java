package dev.oneshot.contracts.trace;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a piece of work belongs, as W3C Trace Context says it. The companion {@code tracestate} is not carried, which
 * that standard allows.
 *
 * @param traceId of everything that comes of one request or one SMTP transaction: 32 lower-case hexadecimal digits
 * @param spanId of this piece of it: 16 of them
 * @param sampled whether the caller keeps what it records of this trace
 */
public record TraceContext(String traceId, String spanId, boolean sampled) {

    /** The name of the HTTP header and of the Kafka record header. */
    public static final String HEADER = "traceparent";

    private static final int LENGTH = 55;
    private static final int TRACE_ID_LENGTH = 32;
    private static final int SPAN_ID_LENGTH = 16;

    /** Version 00 has four members; a later one, which 255 never is, may have more behind these. */
    private static final Pattern TRACEPARENT = Pattern.compile(
            "(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-.*)?", Pattern.DOTALL);

    private static final int SAMPLED = 1;
    private static final HexFormat HEX = HexFormat.of();

    public TraceContext {
        require(traceId, TRACE_ID_LENGTH, "traceId");
        require(spanId, SPAN_ID_LENGTH, "spanId");
    }

    /** Without a pattern, as every request and every record comes by here. */
    private static void require(String value, int length, String name) {
        boolean isHexadecimal = value.length() == length;
        boolean isZero = true;
        for (int i = 0; i < value.length() && isHexadecimal; i++) {
            char digit = value.charAt(i);
            isHexadecimal = (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
            isZero &= digit == '0';
        }
        if (!isHexadecimal || isZero) {
            throw new IllegalArgumentException(name + " must be lower-case hexadecimal and not zero: " + value);
        }
    }

    /** The beginning of a new trace. It is sampled: the logs keep all of it. */
    public static TraceContext create() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        // Or-ing a one into the first half costs a bit of chance and rules out zero.
        return new TraceContext(
                HEX.toHexDigits(random.nextLong() | 1) + HEX.toHexDigits(random.nextLong()), newSpanId(), true);
    }

    /** What a {@code traceparent} says; empty if it is not valid, as one is then to go on without it. */
    public static Optional<TraceContext> parse(String traceparent) {
        if (traceparent.length() < LENGTH) {
            return Optional.empty();
        }
        Matcher matcher = TRACEPARENT.matcher(traceparent);
        if (!matcher.matches() || (matcher.group(1).equals("00") && traceparent.length() != LENGTH)) {
            return Optional.empty();
        }
        boolean sampled = (HexFormat.fromHexDigits(matcher.group(4)) & SAMPLED) != 0;
        return Optional.of(new TraceContext(matcher.group(2), matcher.group(3), sampled));
    }

    /** The context of what comes of this: the same trace, another span. */
    public TraceContext next() {
        return new TraceContext(traceId, newSpanId(), sampled);
    }

    /** As the value of a header, in version 00. */
    public String traceparent() {
        return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }

    private static String newSpanId() {
        return HEX.toHexDigits(ThreadLocalRandom.current().nextLong() | 1);
    }
}
