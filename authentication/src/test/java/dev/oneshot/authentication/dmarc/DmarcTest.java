package dev.oneshot.authentication.dmarc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.authentication.dmarc.Dmarc.Identifiers;
import dev.oneshot.authentication.dmarc.DmarcResult.Verdict;
import dev.oneshot.authentication.resolver.Resolvers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** The decision of RFC 9989, as a table and as laws. */
class DmarcTest {

    private static final Identifiers NO_IDENTIFIERS = new Identifiers(List.of(), List.of(), List.of());

    private static DmarcResult evaluate(String author, Identifiers identifiers, Map<String, String> records) {
        return Dmarc.evaluate(author, identifiers, Resolvers.dns(records, new ArrayList<>()));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dmarc.txt", delimiter = '|', quoteCharacter = '\'')
    void recordDecides(String record, String author, String spf, String dkim, Verdict verdict, String policy) {
        Identifiers identifiers = new Identifiers(domains(spf), domains(dkim), List.of());

        DmarcResult result = evaluate(author, identifiers, Map.of("_dmarc.example.com", record));

        assertThat(result).isEqualTo(new DmarcResult(verdict, policy.equals("-") ? "" : policy));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/authentication/dmarc-organizations.txt", delimiter = '|', quoteCharacter = '\'')
    void organizationsAreThoseOfTheRecords(
            String zone, String author, String spf, String dkim, String failed, Verdict verdict, String policy) {
        Map<String, String> records = Stream.of(zone.split(", ", -1))
                .map(record -> record.split(": ", 2))
                .collect(Collectors.toMap(record -> "_dmarc." + record[0], record -> record[1]));
        Identifiers identifiers = new Identifiers(domains(spf), domains(dkim), domains(failed));

        assertThat(evaluate(author, identifiers, records)).isEqualTo(new DmarcResult(verdict, policy));
    }

    private static List<String> domains(String text) {
        return text.equals("-") ? List.of() : List.of(text.split(" ", -1));
    }

    @Test
    void longNameTakesEightQueriesAtMost() {
        List<String> asked = new ArrayList<>();

        Dmarc.evaluate("a.b.c.d.e.f.g.h.i.j.mail.example.com", NO_IDENTIFIERS, Resolvers.dns(Map.of(), asked));

        assertThat(asked)
                .containsExactly(
                        "_dmarc.a.b.c.d.e.f.g.h.i.j.mail.example.com",
                        "_dmarc.g.h.i.j.mail.example.com",
                        "_dmarc.h.i.j.mail.example.com",
                        "_dmarc.i.j.mail.example.com",
                        "_dmarc.j.mail.example.com",
                        "_dmarc.mail.example.com",
                        "_dmarc.example.com",
                        "_dmarc.com");
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.of(
                "example.com", "a.example.com", "b.example.com", "c.a.example.com", "example.net", "com", "x.co.uk");
    }

    @Provide
    Arbitrary<Map<String, String>> zones() {
        Arbitrary<String> records = Combinators.combine(
                        Arbitraries.of("", "p=none", "p=quarantine", "p=reject", "p=bad"),
                        Arbitraries.of("", "; sp=none", "; sp=reject"),
                        Arbitraries.of("", "; psd=y", "; psd=n"),
                        Arbitraries.of("", "; adkim=s; aspf=s"))
                .as((p, sp, psd, mode) -> "v=DMARC1; " + p + sp + psd + mode);
        return Arbitraries.maps(
                        names().map(name -> "_dmarc." + name), Arbitraries.oneOf(records, Arbitraries.of("?", "x")))
                .ofMaxSize(4);
    }

    @Property
    void sameDomainPassesWheneverThereIsAPolicy(
            @ForAll("names") String author, @ForAll("zones") Map<String, String> zone) {
        DmarcResult result = evaluate(author, new Identifiers(List.of(author), List.of(), List.of()), zone);

        boolean policy = !result.policy().isEmpty();
        assertThat(result.verdict() == Verdict.PASS).isEqualTo(policy);
    }

    @Property
    void unrelatedDomainNeverPasses(@ForAll("names") String author, @ForAll("zones") Map<String, String> zone) {
        DmarcResult result =
                evaluate(author, new Identifiers(List.of("evil.example"), List.of("evil.example"), List.of()), zone);

        assertThat(result.verdict()).isNotEqualTo(Verdict.PASS);
    }

    @Property
    void strictPassIsRelaxedPass(
            @ForAll("names") String author, @ForAll("names") String other, @ForAll("zones") Map<String, String> zone) {
        Identifiers identifiers = new Identifiers(List.of(), List.of(other), List.of());
        boolean strict = evaluate(author, identifiers, zone).verdict() == Verdict.PASS;
        zone.replaceAll((_, record) -> record.replace("; adkim=s; aspf=s", ""));
        boolean relaxed = evaluate(author, identifiers, zone).verdict() == Verdict.PASS;

        assertThat(strict && !relaxed).isFalse();
    }

    @Property
    void alignmentNeverCrossesAPublicSuffix(@ForAll("zones") Map<String, String> zone) {
        zone.put("_dmarc.com", "v=DMARC1; p=reject; psd=y");
        zone.values().removeIf("?"::equals);

        DmarcResult result = evaluate("example.com", new Identifiers(List.of("other.com"), List.of(), List.of()), zone);

        assertThat(result.verdict()).isNotEqualTo(Verdict.PASS);
    }
}
