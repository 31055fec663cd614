package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {

    private static final Path README = Chart.DIRECTORY.resolve("README.md");
    private static final Path VALUES = Chart.DIRECTORY.resolve("values.yaml");

    @Test
    void tableOfValuesIsUpToDate() throws IOException {
        // Given
        String expected = ValuesTable.putInto(Files.readString(README), VALUES);
        if (System.getProperty("oneshot.chart.readme", "").equals("write")) {
            Files.writeString(README, expected);
        }

        // Then
        assertThat(Files.readString(README))
                .as("ValuesTable says how to write the table anew")
                .isEqualTo(expected);
    }

    @Test
    void everyValueIsDocumented() {
        assertThat(ValuesTable.undocumented(VALUES)).isEmpty();
    }
}
