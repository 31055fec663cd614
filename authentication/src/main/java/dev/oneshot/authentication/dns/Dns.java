package dev.oneshot.authentication.dns;

import java.util.List;

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
         * Records of the type, also those of an alias unless aliases are queried.
         *
         * @param values addresses as text; host names without the last dot, of MX the most preferred first; the strings
         *     of a TXT record joined, in ISO 8859-1
         */
        record Found(List<String> values) implements Answer {
            public Found {
                values = List.copyOf(values);
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
