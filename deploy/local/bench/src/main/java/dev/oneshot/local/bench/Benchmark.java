package dev.oneshot.local.bench;

import dev.oneshot.local.bench.api.ApiBenchmark;
import dev.oneshot.local.bench.expiry.ExpiryBenchmark;
import dev.oneshot.local.bench.ingest.IngestBenchmark;
import dev.oneshot.local.bench.parse.ParseBenchmark;
import dev.oneshot.local.bench.send.SendBenchmark;
import dev.oneshot.local.bench.start.StartBenchmark;
import java.util.Locale;

/** What can be measured. Another benchmark is one more name, and one more case in {@link #run}. */
enum Benchmark {
    INGEST("receiving mail over SMTP, beside three ceilings"),
    API("creating, polling and listing addresses, beside two ceilings"),
    SEND("from the request to the relay's 250, beside two ceilings"),
    EXPIRY("deleting what has expired, by row and by partition"),
    PARSE("reading the structure of messages, beside mime4j (JMH)"),
    START("time to readiness and memory at rest of each service, with and without AOT cache");

    private final String purpose;

    Benchmark(String purpose) {
        this.purpose = purpose;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String purpose() {
        return purpose;
    }

    void run(Bench bench) throws Exception {
        switch (this) {
            case INGEST -> IngestBenchmark.run(bench);
            case API -> ApiBenchmark.run(bench);
            case SEND -> SendBenchmark.run(bench);
            case EXPIRY -> ExpiryBenchmark.run(bench);
            case PARSE -> ParseBenchmark.run(bench);
            case START -> StartBenchmark.run(bench);
        }
    }
}
