package dev.oneshot.authentication.dmarc;

import dev.oneshot.authentication.dmarc.DmarcRecord.PublicSuffix;
import dev.oneshot.authentication.dns.Dns;
import dev.oneshot.authentication.dns.Dns.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The records found from a domain up to the top-level domain, by at most eight queries (RFC 9989 §4.10).
 *
 * @param start where the walk began
 * @param found the nearest first
 * @param complete false if a query had no answer
 */
record TreeWalk(String start, List<DmarcRecord> found, boolean complete) {

    private static final int LABELS_MAX = 8;

    static TreeWalk from(String start, Dns dns) {
        List<DmarcRecord> found = new ArrayList<>();
        boolean complete = true;
        boolean last = false;
        for (String domain = start; !domain.isEmpty() && !last; domain = above(domain)) {
            Answer answer = dns.query("_dmarc." + domain, Dns.Type.TXT);
            complete &= !(answer instanceof Answer.Unknown);
            List<DmarcRecord> records = records(domain, answer);
            // Several records count as none.
            if (records.size() == 1) {
                found.addAll(records);
                last = records.getFirst().publicSuffix() != PublicSuffix.UNKNOWN;
            }
        }
        return new TreeWalk(start, List.copyOf(found), complete);
    }

    /** The policy records among the TXT records of a domain, at most two of them. */
    private record Published(List<DmarcRecord> records) {

        static Published of(String domain, List<String> texts) {
            return new Published(texts.stream()
                    .flatMap(text -> DmarcRecord.parse(domain, text).stream())
                    .limit(2)
                    .toList());
        }
    }

    private static List<DmarcRecord> records(String domain, Answer answer) {
        return answer instanceof Answer.Found found
                ? found.parsed(Published.class, texts -> Published.of(domain, texts))
                        .records()
                : List.of();
    }

    /** The name one label shorter, or of seven labels if it has more than eight; empty above a top-level domain. */
    private static String above(String domain) {
        String[] labels = domain.split("\\.", -1);
        int skip = Math.max(1, labels.length - LABELS_MAX + 1);
        return String.join(".", List.of(labels).subList(Math.min(skip, labels.length), labels.length));
    }

    Optional<DmarcRecord> record(String domain) {
        return found.stream().filter(record -> record.domain().equals(domain)).findFirst();
    }

    /** The Organizational Domain (RFC 9989 §4.10.2). */
    String organizationalDomain() {
        for (DmarcRecord each : found) {
            if (each.publicSuffix() == PublicSuffix.NO) {
                return each.domain();
            }
            if (each.publicSuffix() == PublicSuffix.YES && !each.domain().equals(start)) {
                return below(each.domain());
            }
        }
        return found.isEmpty() ? start : found.getLast().domain();
    }

    /** The name one label below a domain, towards the start. */
    private String below(String domain) {
        String rest = start.substring(0, start.length() - domain.length() - 1);
        return rest.substring(rest.lastIndexOf('.') + 1) + '.' + domain;
    }
}
