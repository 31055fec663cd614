package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageReaderTest {

    @Test
    void rangeOutsideTheArrayAndTraceFieldsOutsideTheRangeAreRefused() {
        assertThatThrownBy(() -> MessageReader.read(new byte[10], 5, 6, MessageLimits.DEFAULTS))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> MessageReader.read(new byte[10], 0, 5, 6, MessageLimits.DEFAULTS))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** Trace fields in front do not change how the sender's message is read, and the message adds nothing to them. */
    @ParameterizedTest
    @MethodSource("dev.oneshot.message.Fixtures#names")
    void traceFieldsChangeNothingOfWhatWasSent(String name) throws IOException {
        byte[] sent = Fixtures.octets(name);
        assumeThat(MessageReader.read(sent, 0, sent.length, MessageLimits.DEFAULTS)
                        .headers())
                .isNotEmpty();
        boolean blank = sent[0] == ' ' || sent[0] == '\t';
        byte[] trace =
                ReadMessage.octets("Authentication-Results: b; spf=none\nReturn-Path: <>\nReceived: from a\n\tby b\n"
                        + (blank ? "\n" : ""));
        byte[] message = Arrays.copyOf(trace, trace.length + sent.length);
        System.arraycopy(sent, 0, message, trace.length, sent.length);

        MessageStructure alone = MessageReader.read(sent, 0, sent.length, MessageLimits.DEFAULTS);
        MessageStructure read = MessageReader.read(message, 0, message.length, trace.length, MessageLimits.DEFAULTS);

        assertThat(read.headers().subList(0, 3))
                .containsExactly(
                        new HeaderField("Authentication-Results", "b; spf=none"),
                        new HeaderField("Return-Path", "<>"),
                        new HeaderField("Received", "from a by b"));
        assertThat(read.headers().subList(3, read.headers().size())).isEqualTo(alone.headers());
        assertThat(read.from()).isEqualTo(alone.from());
        assertThat(read.subject()).isEqualTo(alone.subject());
        assertThat(shifted(read.text(), trace.length)).isEqualTo(alone.text());
        assertThat(shifted(read.html(), trace.length)).isEqualTo(alone.html());
        assertThat(read.attachments()).hasSameSizeAs(alone.attachments());
    }

    @Test
    void textOfASenderWhoWroteNoHeaderIsWholeBehindTraceFields() {
        byte[] trace = ReadMessage.octets("Authentication-Results: b; spf=none\nReceived: from a\n");
        byte[] message =
                ReadMessage.octets("Authentication-Results: b; spf=none\nReceived: from a\nHello\nline\n\nmore\n");

        MessageStructure read = MessageReader.read(message, 0, message.length, trace.length, MessageLimits.DEFAULTS);

        assertThat(read.text()).extracting(Leaf::offset).containsExactly(trace.length);
    }

    private static List<Leaf> shifted(List<Leaf> leaves, int by) {
        return leaves.stream()
                .map(leaf -> new Leaf(leaf.offset() - by, leaf.length(), leaf.transferEncoding(), leaf.charset()))
                .toList();
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
