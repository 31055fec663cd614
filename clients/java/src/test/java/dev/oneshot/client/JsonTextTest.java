package dev.oneshot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NullMarked
class JsonTextTest {

    @Test
    void everyKindOfValueIsRead() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("", null);
        object.put("a", Arrays.asList(true, false, null, 0L, -12L, 1.5, 1000.0, List.of(), Map.of()));

        assertThat(JsonText.read(" {\"\" : null,\r\n\t\"a\":[true,false , null,0,-12,1.5,1e3,[ ],{ }]}\n"))
                .isEqualTo(object);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "1E+2", "-0.5e-3", "true", "null", "\"a\"", "[[1]]"})
    void aTextMayBeAnyValue(String text) {
        assertThat(String.valueOf(JsonText.read(text))).isNotEmpty();
    }

    @Test
    void anIntegerOf18DigitsIsALongAndALongerOneIsNot() {
        assertThat(JsonText.read("999999999999999999")).isEqualTo(999_999_999_999_999_999L);
        assertThat(JsonText.read("1000000000000000000")).isEqualTo(1e18);
    }

    @Test
    void escapesAreRead() {
        assertThat(JsonText.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\ude80\u007f\u2028\""))
                .isEqualTo("\"\\/\b\f\n\r\té\ud83d\ude80\u007f\u2028");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\u0000",
                "nul",
                "nulL",
                "True",
                "NaN",
                "Infinity",
                "+1",
                "01",
                "-",
                "1.",
                ".5",
                "1e",
                "0x1",
                "'a'",
                "\"",
                "\"a",
                "\"\n\"",
                "\"\\",
                "\"\\x\"",
                "\"\\'\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\\u\uff11234\"",
                "[",
                "[1",
                "[1,]",
                "[,1]",
                "[1 2]",
                "]",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,}",
                "{a:1}",
                "{1:1}",
                "{\"a\" 1}",
                "{,}",
                "1 1",
                "1\u0000",
                "{}}",
                "[] //",
                "/**/1",
                "#",
                "\u00a01",
                "\ufeff1",
                "<html>"
            })
    void allElseIsAnErrorWithItsPosition(String text) {
        assertThatThrownBy(() -> JsonText.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("unexpected (character|end)( at position \\d+)");
    }

    @Test
    void nestingHasABound() {
        String deep = "[".repeat(JsonText.DEPTH_MAX) + "{\"a\":1}" + "]".repeat(JsonText.DEPTH_MAX);

        assertThat(JsonText.read(deep.replace("{\"a\":1}", "1"))).isInstanceOf(List.class);
        assertThatThrownBy(() -> JsonText.read(deep)).hasMessage("nested deeper than 100");
        assertThatThrownBy(() -> JsonText.read("[".repeat(10_000_000))).hasMessage("nested deeper than 100");
    }

    @Test
    void whatIsWrittenIsWhatAnotherReaderReads() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("left out", null);
        object.put("a\"\\\n\u0000\u001f\u2028é\ud83d\ude80", List.of("", 1L, true, Map.of(), List.of()));
        object.put("b", "x");

        String json = JsonText.write(object);

        assertThat(json).startsWith("{\"a\\\"").endsWith(":[\"\",1,true,{},[]],\"b\":\"x\"}");
        object.remove("left out");
        assertThat(JsonText.read(json)).isEqualTo(object);
        assertThat(JsonParser.parseString(json).getAsJsonObject().keySet()).isEqualTo(object.keySet());
    }

    @Test
    void aSurrogateWithoutItsPairReachesTheService() {
        assertThat(JsonText.write(Map.of("label", "\ud83d"))).isEqualTo("{\"label\":\"\\ud83d\"}");
    }
}
