package dev.oneshot.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fields in {@code clients/cases/authentication.json}, which the tests of the other languages read as well. */
@NullMarked
class AuthenticationTest {

    /** Its members have the names of the file. */
    record Case(
            String name,
            String to,
            String fields,
            @Nullable String spf,
            @Nullable String dkim,
            @Nullable String dmarc,
            List<Authentication.Result> results) {}

    static Stream<Case> cases() throws IOException {
        return CasesTest.read("authentication.json", Case.class);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void onlyTheFieldOfTheServiceIsRead(Case expected) {
        Email email = new Email(
                "",
                expected.to(),
                "",
                "",
                "",
                Map.of("authentication-Results", expected.fields()),
                Instant.parse("2026-01-31T12:00:05Z"),
                0,
                List.of());

        Optional<Authentication> found = email.authentication();

        assertThat(found.map(Authentication::spf).orElse(null)).isEqualTo(expected.spf());
        assertThat(found.map(Authentication::dkim).orElse(null)).isEqualTo(expected.dkim());
        assertThat(found.map(Authentication::dmarc).orElse(null)).isEqualTo(expected.dmarc());
        assertThat(found.map(Authentication::results).orElse(List.of())).isEqualTo(expected.results());
        assertThat(email.authentication("unknown.example")).isEmpty();
    }
}
