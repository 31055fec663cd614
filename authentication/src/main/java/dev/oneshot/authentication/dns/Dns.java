package dev.oneshot.authentication.dns;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks up records. May block for some seconds; never throws because of a name or a response. */
public interface Dns {

    /** The types of records that are queried. */
    enum Type {
        A,
        AAAA,
        CNAME,
        MX,
        PTR,
        TXT
    }

    /** The answer to a query. */
    sealed interface Answer {

        /** The values of the records; none if there are no records, or they are not known. */
        default List<String> values() {
            return List.of();
        }

        /**
         * Records of the type, also those of an alias unless aliases are queried. Addresses as text; host names without the
         * last dot, of MX the most preferred first; the strings of a TXT record joined, in ISO 8859-1.
         */
        final class Found implements Answer {

            private final List<String> values;
            private volatile @Nullable Object parsed;

            public Found(List<String> values) {
                this.values = List.copyOf(values);
            }

            @Override
            public List<String> values() {
                return values;
            }

            /** What the values mean. It is kept with the answer, as parsing again would cost more than the look-up. */
            public <T> T parsed(Class<T> type, Function<List<String>, T> parser) {
                Object kept = parsed;
                if (!type.isInstance(kept)) {
                    kept = parser.apply(values);
                    parsed = kept;
                }
                return type.cast(kept);
            }

            @Override
            public boolean equals(@Nullable Object other) {
                return other instanceof Found found && values.equals(found.values);
            }

            @Override
            public int hashCode() {
                return values.hashCode();
            }

            @Override
            public String toString() {
                return "Found" + values;
            }
        }

        /**
         * There is none: a void look-up (RFC 7208 §4.6.4).
         *
         * @param nameExists false for NXDOMAIN, and for text that is no domain name
         */
        record None(boolean nameExists) implements Answer {}

        /** Not known: no response in time, or a server error. */
        record Unknown() implements Answer {}
    }

    Answer query(String name, Type type);
}
