package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sides of every limit: beyond it, the rest stays in the raw message only. */
class MessageLimitsTest {

    private static final MessageLimits D = MessageLimits.DEFAULTS;
    private static final String IN_TWO_MULTIPARTS = """
            --b
            Content-Type: multipart/mixed; boundary=c

            --c
            Content-Type: multipart/related; boundary=d

            --d
            Content-Type: image/gif

            G
            --d--
            --c--
            """;

    static List<Arguments> limits() {
        MessageLimits tenParts = new MessageLimits(10, 2, 10, 1000);
        String multipart = "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c--\n";
        MessageLimits twoFields = new MessageLimits(10, 1, 2, 1000);
        byte[] fields = ReadMessage.octets("A: 1\nB: 2\n\nx");
        return List.of(
                arguments("parts", partsMessage(10), tenParts, true, 1, 10, ""),
                arguments("one part more", partsMessage(11), tenParts, false, 1, 10, ""),
                arguments("bodies", alternativesAnd("--b\n\n\n", 8), tenParts, true, 1, 0, "text"),
                arguments("one body more", alternativesAnd("--b\n\n\n", 9), tenParts, false, 1, 0, "text"),
                arguments("multiparts", alternativesAnd(multipart, 38), tenParts, true, 1, 0, "text"),
                arguments("one multipart more", alternativesAnd(multipart, 39), tenParts, false, 1, 0, "text"),
                arguments("depth", nestedMessage(D.depthMax()), D, true, 1, 1, "deep"),
                arguments("one multipart deeper", nestedMessage(D.depthMax() + 1), D, false, 1, 1, ""),
                arguments("fields", fields, twoFields, true, 2, 0, "x"),
                arguments("one field more", ReadMessage.octets("A: 1\nB: 2\nC: 3\n\nx"), twoFields, false, 2, 0, "x"),
                arguments("header", fields, headerOf("A: 1\r\nB: 2".length()), true, 2, 0, "x"),
                arguments("header longer by one", fields, headerOf("A: 1\r\nB: 2".length() - 1), false, 1, 0, "x"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("limits")
    void whatFitsIsReadAndTheRestIsLeftToRaw(
            String name,
            byte[] message,
            MessageLimits limits,
            boolean complete,
            int headers,
            int attachments,
            String text) {
        ReadMessage read = ReadMessage.of(message, limits);

        assertThat(read.structure().complete()).isEqualTo(complete);
        assertThat(read.structure().headers()).hasSize(headers);
        assertThat(read.structure().attachments()).hasSize(attachments);
        assertThat(read.text()).as(name).isEqualTo(text);
    }

    @Test
    void continuationBeyondTheLimitIsLeftOut() {
        ReadMessage read = ReadMessage.of(ReadMessage.octets("A: 1\n 2\n 3\n\nx"), headerOf("A: 1\r\n 2".length()));

        assertThat(read.structure().complete()).isFalse();
        assertThat(read.structure().headers()).containsExactly(new HeaderField("A", "1 2"));
    }

    private static MessageLimits headerOf(int octets) {
        return new MessageLimits(10, 1, 10, octets);
    }

    /** Neither the multiparts nor the bodies around them count as attachments. */
    @ParameterizedTest
    @ValueSource(strings = {"--b\nContent-Type: image/gif\n\nG\n", IN_TWO_MULTIPARTS})
    void mailOfAThousandAttachmentsShowsAThousand(String part) {
        ReadMessage read = ReadMessage.of(alternativesAnd(part, D.partsMax()));
        assertThat(read.structure().complete()).isTrue();
        assertThat(read.structure().attachments()).hasSize(1_000);
        assertThat(read.text()).isEqualTo("text");
        assertThat(read.html()).isEqualTo("html");
    }

    @ParameterizedTest
    @CsvSource({"-1, true, last", "0, false, attachment-1.gif"})
    void parametersAreReadUpToTheirBound(int more, boolean complete, String filename) {
        ReadMessage read = ReadMessage.of(parametersMessage(ParameterList.PARAMETERS_MAX + more, 1), D);
        assertThat(read.structure().complete()).isEqualTo(complete);
        assertThat(read.structure().attachments())
                .extracting(Attachment::filename)
                .containsExactly(filename);
    }

    @ParameterizedTest
    @CsvSource({"50, true", "51, false"})
    void identifiersOfPartsAreReadUpToTheirBound(int parts, boolean complete) {
        String part = "--b\nContent-Type: image/gif\nContent-ID: <" + "i".repeat(500) + ">\nContent-Location: "
                + "l".repeat(1_500) + "\n\nG\n";

        MessageStructure structure = ReadMessage.of(
                        ReadMessage.octets("Content-Type: multipart/mixed; boundary=b\n\n" + part.repeat(parts)), D)
                .structure();

        assertThat(structure.complete()).isEqualTo(complete);
        assertThat(structure.attachments())
                .hasSize(parts)
                .filteredOn(attachment -> attachment.contentId() != null && attachment.contentLocation() != null)
                .hasSize(50);
    }

    @Test
    void nothingIsKeptOfTheParametersOfPartsThatHaveBeenRead() {
        byte[] message = parametersMessage(ParameterList.PARAMETERS_MAX - 1, D.partsMax() - 1);
        PartWalk walk = new PartWalk(message, 0, message.length, D, "");
        long before = heapInUse();

        walk.message(0);

        assertThat(heapInUse() - before).isLessThan(20L << 20);
        assertThat(walk.attachments()).hasSize(D.partsMax() - 1);
    }

    private static long heapInUse() {
        ManagementFactory.getMemoryMXBean().gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @ParameterizedTest
    @CsvSource({
        "1,0,1,1,true",
        "100000,100,100000,16777216,true",
        "0,0,1,1,false",
        "100001,0,1,1,false",
        "1,-1,1,1,false",
        "1,101,1,1,false",
        "1,0,0,1,false",
        "1,0,100001,1,false",
        "1,0,1,0,false",
        "1,0,1,16777217,false",
    })
    void limitsAreCheckedOnBothSides(int parts, int depth, int fields, int octets, boolean allowed) {
        if (allowed) {
            assertThat(new MessageLimits(parts, depth, fields, octets).partsMax())
                    .isEqualTo(parts);
        } else {
            assertThatThrownBy(() -> new MessageLimits(parts, depth, fields, octets))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must be between");
        }
    }

    private static byte[] partsMessage(int parts) {
        String part = "--b\nContent-Type: image/gif\n\nG\n";
        return ReadMessage.octets("Content-Type: multipart/mixed; boundary=b\n\n" + part.repeat(parts) + "--b--\n");
    }

    private static byte[] alternativesAnd(String part, int parts) {
        return ReadMessage.octets("Content-Type: multipart/mixed; boundary=b\n\n--b\n"
                + "Content-Type: multipart/alternative; boundary=a\n\n--a\n\ntext\n"
                + "--a\nContent-Type: text/html\n\nhtml\n--a--\n"
                + part.repeat(parts) + "--b--\n");
    }

    private static byte[] parametersMessage(int before, int parts) {
        String part = "--b\nContent-Type: image/gif" + ";a=b".repeat(before) + ";name=last\n\nG\n";
        return ReadMessage.octets("Content-Type: multipart/mixed; boundary=b\n\n" + part.repeat(parts) + "--b--\n");
    }

    /** Multiparts in each other, with a text in the innermost and an image after it in the outermost. */
    private static byte[] nestedMessage(int depth) {
        String message = "Content-Type: text/plain\n\ndeep\n";
        for (int i = depth - 1; i >= 0; i--) {
            String image = i == 0 ? "--b0\nContent-Type: image/gif\n\nG\n" : "";
            message = "Content-Type: multipart/mixed; boundary=b%1$d\n\n--b%1$d\n%2$s%3$s--b%1$d--\n"
                    .formatted(i, message, image);
        }
        return ReadMessage.octets(message);
    }
}
