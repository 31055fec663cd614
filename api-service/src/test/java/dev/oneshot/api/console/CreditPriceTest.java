package dev.oneshot.api.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.testing.TestSettings;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreditPriceTest {

    private static final String PATH = "/console/";

    @ParameterizedTest
    @ValueSource(strings = {"0 EUR", "0.01 EUR", "999999.999999 JPY"})
    void thePageNamesIt(String price) {
        assertThat(page("").bytes().toString()).contains("<meta name=\"credit-price\" content=\"\">");
        assertThat(page(price).bytes().toString()).contains("<meta name=\"credit-price\" content=\"" + price + "\">");
        assertThat(page(price).etag()).isNotEqualTo(page("").etag());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.01",
                "EUR 0.01",
                "0,01 EUR",
                "-1 EUR",
                "1 eur",
                "1 EURO",
                "1000000 EUR",
                "0.0000001 EUR",
                "\"> EUR"
            })
    void anImpossibleOneStopsTheStart(String price) {
        ConsoleRoutes.Config settings = TestSettings.of(ConsoleRoutes.Config.class, "credit-price=" + price);
        assertThatThrownBy(() -> new ConsoleRoutes(settings))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("oneshot.console.credit-price must be an amount")
                .hasMessageEndingWith("not " + price);
    }

    private static ConsoleFile page(String price) {
        return Objects.requireNonNull(ConsoleFile.readAll(PATH, price).get(PATH));
    }
}
