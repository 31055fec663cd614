package dev.oneshot.contracts.trace;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The trace context of a piece of work (W3C Trace Context). {@code tracestate} is not carried, which the standard
 * allows.
 *
 * @param traceId of the trace, which covers one request or one mail transaction: 32 lower-case hexadecimal digits
 * @param spanId of this piece of work: 16 lower-case hexadecimal digits
 * @param sampled whether the caller keeps its records of this trace
 */
public record TraceContext(String traceId, String spanId, boolean sampled) {

    /** The name of the HTTP header and of the Kafka record header. */
    public static final String HEADER = "traceparent";

    private static final int LENGTH = 55;
    private static final Pattern TRACE_ID = Pattern.compile("(?!0{32})[0-9a-f]{32}");
    private static final Pattern SPAN_ID = Pattern.compile("(?!0{16})[0-9a-f]{16}");
    /** Version 00 has four members. Later versions may have more; 255 is no version. */
    private static final Pattern TRACEPARENT = Pattern.compile(
            "(?!ff)([0-9a-f]{2})-(" + TRACE_ID + ")-(" + SPAN_ID + ")-([0-9a-f]{2})(-.*)?", Pattern.DOTALL);

    private static final int SAMPLED = 1;
    private static final HexFormat HEX = HexFormat.of();

    public TraceContext {
        require(traceId, TRACE_ID, "traceId");
        require(spanId, SPAN_ID, "spanId");
    }

    private static void require(String value, Pattern valid, String name) {
        if (!valid.matcher(value).matches()) {
            throw new IllegalArgumentException(name + " must be lower-case hexadecimal and not zero: " + value);
        }
    }

    /** Starts a new trace. It is sampled, as the logs keep all traces. */
    public static TraceContext create() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        // Setting the lowest bit of the first half rules out zero.
        return new TraceContext(
                HEX.toHexDigits(random.nextLong() | 1) + HEX.toHexDigits(random.nextLong()), newSpanId(), true);
    }

    /** Parses a {@code traceparent}; empty if it is not valid and must be ignored. */
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

    /** A child: the same trace, another span. */
    public TraceContext next() {
        return new TraceContext(traceId, newSpanId(), sampled);
    }

    /** The value of the header, in version 00. */
    public String traceparent() {
        return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }

    private static String newSpanId() {
        return HEX.toHexDigits(ThreadLocalRandom.current().nextLong() | 1);
    }
}
