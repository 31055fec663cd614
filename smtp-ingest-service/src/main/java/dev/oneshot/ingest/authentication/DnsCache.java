package dev.oneshot.ingest.authentication;

import dev.oneshot.ingest.authentication.dns.Dns.Answer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Answers and queries in progress by question, bounded in memory: those not used for longest are dropped first. */
final class DnsCache {

    // A generous estimate of the bytes of an entry without its text.
    private static final int ENTRY_BYTES = 400;

    private final long bytesMax;
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** An answer, and until when it may be used, in nanoseconds of the monotonic clock. */
    record Kept(Answer answer, long untilNanos) {}

    private record Entry(CompletableFuture<Kept> kept, long bytes) {}

    DnsCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** The answer to a question, or the query in progress; queries only if there is neither. */
    CompletableFuture<Kept> get(String question, long nowNanos, Supplier<CompletableFuture<Kept>> ask) {
        CompletableFuture<Kept> asked;
        synchronized (this) {
            Entry entry = entries.get(question);
            if (entry != null && isUsable(entry, nowNanos)) {
                return entry.kept();
            }
            asked = new CompletableFuture<>();
            put(question, asked, ENTRY_BYTES + question.length());
        }
        var _ = ask.get().whenComplete((kept, failure) -> {
            if (failure == null) {
                settle(question, asked, kept);
                asked.complete(kept);
            } else {
                asked.completeExceptionally(failure);
            }
        });
        return asked;
    }

    private static boolean isUsable(Entry entry, long nowNanos) {
        if (!entry.kept().isDone()) {
            return true;
        }
        return !entry.kept().isCompletedExceptionally() && entry.kept().join().untilNanos() - nowNanos > 0;
    }

    private synchronized void settle(String question, CompletableFuture<Kept> asked, Kept kept) {
        Entry entry = entries.get(question);
        if (entry != null && kept.answer() instanceof Answer.Found found) {
            long length = found.values().stream()
                    .mapToLong(value -> value.length() + ENTRY_BYTES / 4)
                    .sum();
            put(question, asked, entry.bytes() + length);
        }
    }

    private void put(String question, CompletableFuture<Kept> kept, long size) {
        Entry before = entries.put(question, new Entry(kept, size));
        bytes += size - (before == null ? 0 : before.bytes());
        while (bytes > bytesMax && !entries.isEmpty()) {
            Map.Entry<String, Entry> eldest = entries.pollFirstEntry();
            bytes -= eldest.getValue().bytes();
        }
    }

    synchronized long bytes() {
        return bytes;
    }
}
