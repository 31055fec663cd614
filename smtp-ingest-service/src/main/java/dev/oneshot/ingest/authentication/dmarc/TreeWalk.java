package dev.oneshot.ingest.authentication.dmarc;

import dev.oneshot.ingest.authentication.dmarc.DmarcRecord.PublicSuffix;
import dev.oneshot.ingest.authentication.dns.Dns;
import dev.oneshot.ingest.authentication.dns.Dns.Answer;
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
record TreeWalk(String start, List<Found> found, boolean complete) {

    private static final int LABELS_MAX = 8;

    /** A record and its domain. */
    record Found(String domain, DmarcRecord record) {}

    static TreeWalk from(String start, Dns dns) {
        List<Found> found = new ArrayList<>();
        boolean complete = true;
        String domain = start;
        while (!domain.isEmpty()) {
            Answer answer = dns.query("_dmarc." + domain, Dns.Type.TXT);
            complete &= !(answer instanceof Answer.Unknown);
            Optional<DmarcRecord> record = record(answer);
            if (record.isPresent()) {
                found.add(new Found(domain, record.get()));
                if (record.get().publicSuffix() != PublicSuffix.UNKNOWN) {
                    break;
                }
            }
            domain = above(domain);
        }
        return new TreeWalk(start, List.copyOf(found), complete);
    }

    /** The only policy record of an answer; several records count as none. */
    private static Optional<DmarcRecord> record(Answer answer) {
        if (!(answer instanceof Answer.Found texts)) {
            return Optional.empty();
        }
        List<DmarcRecord> records = texts.values().stream()
                .map(DmarcRecord::parse)
                .flatMap(Optional::stream)
                .limit(2)
                .toList();
        return records.size() == 1 ? Optional.of(records.getFirst()) : Optional.empty();
    }

    /** The name one label shorter, or of seven labels if it has more than eight; empty above a top-level domain. */
    private static String above(String domain) {
        String[] labels = domain.split("\\.", -1);
        int skip = Math.max(1, labels.length - LABELS_MAX + 1);
        return String.join(".", List.of(labels).subList(Math.min(skip, labels.length), labels.length));
    }

    /** The Organizational Domain (RFC 9989 §4.10.2). */
    String organizationalDomain() {
        for (Found each : found) {
            if (each.record().publicSuffix() == PublicSuffix.NO) {
                return each.domain();
            }
            if (each.record().publicSuffix() == PublicSuffix.YES
                    && !each.domain().equals(start)) {
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
