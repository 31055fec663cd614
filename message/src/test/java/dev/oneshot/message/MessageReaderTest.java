package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageReaderTest {

    @Test
    void offsetsCountFromTheStartOfTheMessageAndNothingAroundItIsRead() {
        // Given
        byte[] message =
                ReadMessage.octets("Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b--\n");
        byte[] around = new byte[message.length + 40];
        Arrays.fill(around, (byte) '-');
        System.arraycopy(message, 0, around, 17, message.length);

        // When
        MessageStructure within = MessageReader.read(around, 17, message.length, MessageLimits.DEFAULTS);

        // Then
        assertThat(within).isEqualTo(MessageReader.read(message, 0, message.length, MessageLimits.DEFAULTS));
        assertThat(within.text()).extracting(Leaf::length).containsExactly(4);
    }

    @Test
    void rangeOutsideTheArrayIsRefused() {
        assertThatThrownBy(() -> MessageReader.read(new byte[10], 5, 6, MessageLimits.DEFAULTS))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void emptyMessageHasNothing() {
        ReadMessage read = ReadMessage.of("");
        assertThat(read.structure())
                .isEqualTo(new MessageStructure(List.of(), "", "", List.of(), List.of(), List.of(), true));
    }

    @Test
    void charsetLabelIsKeptAsWrittenInLowerCase() {
        ReadMessage read = ReadMessage.of("Content-Type: text/plain; charset=\"ISO-8859-15\"\n\nx");
        assertThat(read.structure().text()).extracting(Leaf::charset).containsExactly("iso-8859-15");
    }

    @Test
    void attachmentsAreNumberedByTheirPlace() {
        ReadMessage read = ReadMessage.of("""
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: image/png

                1
                --b
                Content-Type: image/png; name=n.png

                2
                --b
                Content-Type: image/png

                3
                --b--
                """);
        assertThat(read.structure().attachments())
                .extracting(Attachment::filename)
                .containsExactly("attachment-1.png", "n.png", "attachment-3.png");
    }

    @Test
    void piecesOfABodyAreJoinedOnLinesOfTheirOwn() {
        assertThat(BodyText.join(List.of("a", "b\n", "", "c"))).isEqualTo("a\nb\nc");
        assertThat(BodyText.join(List.of())).isEmpty();
    }

    @Test
    void lineEndsOfTextBecomeLineFeedsAndReturnsAloneInsideAreKept() {
        Leaf leaf = new Leaf(0, 0, TransferEncoding.IDENTITY, "");
        assertThat(leaf.text("a\r\nb\nc\r\r\nd\re\r".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("a\nb\nc\nd\re");
    }
}
