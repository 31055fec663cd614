package dev.oneshot.api.http;

import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The types of content that a client wants (RFC 9110 §12.5.1): the most specific range that matches a type decides, and a
 * weight of 0 says no. Parameters of ranges are not looked at.
 */
public final class Accept {

    /** What most clients say. */
    private static final Accept ANYTHING = new Accept(List.of());

    private final List<Range> ranges;

    private Accept(List<Range> ranges) {
        this.ranges = ranges;
    }

    private record Range(String type, boolean isWanted) {

        static Range parse(String text) {
            String[] parts = text.split(";", -1);
            boolean isWanted = Stream.of(parts).skip(1).noneMatch(Range::isWeightOfNothing);
            return new Range(parts[0].strip().toLowerCase(Locale.ROOT), isWanted);
        }

        /** {@code q=0} with up to three zeroes behind the point (RFC 9110 §12.4.2). */
        private static boolean isWeightOfNothing(String parameter) {
            return parameter.strip().matches("[qQ]=0(\\.0{0,3})?");
        }
    }

    /** What the fields of a request say; all of them together, as if they were one. */
    public static Accept of(MultiMap headers) {
        List<String> fields = headers.getAll("Accept");
        if (fields.isEmpty() || (fields.size() == 1 && fields.getFirst().equals("*/*"))) {
            return ANYTHING;
        }
        return new Accept(fields.stream()
                .flatMap(field -> Stream.of(field.split(",", -1)))
                .filter(range -> !range.isBlank())
                .map(Range::parse)
                .toList());
    }

    /**
     * Whether content of a type may be sent; of any if nothing is said.
     *
     * @param type without parameters, in lower case
     */
    public boolean allows(String type) {
        if (ranges.isEmpty()) {
            return true;
        }
        for (String range : List.of(type, type.substring(0, type.indexOf('/')) + "/*", "*/*")) {
            @Nullable Boolean said = said(range);
            if (said != null) {
                return said;
            }
        }
        return false;
    }

    /**
     * Whether content of a type is asked for by its own name, not only by a range that it lies in.
     *
     * @param type without parameters, in lower case
     */
    public boolean names(String type) {
        return Boolean.TRUE.equals(said(type));
    }

    private @Nullable Boolean said(String type) {
        List<Range> same =
                ranges.stream().filter(range -> range.type().equals(type)).toList();
        return same.isEmpty() ? null : same.stream().anyMatch(Range::isWanted);
    }
}
