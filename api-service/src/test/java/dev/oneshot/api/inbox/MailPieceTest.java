package dev.oneshot.api.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.event.Octets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MailPieceTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "2000, 2000",
        "2001, 2000 1",
        "8000, 2000 2000 2000 2000",
        "8001, 2000 2000 2000 2000 1",
        "16000, 2000 2000 2000 2000 8000",
        "16001, 2000 2000 2000 2000 8000 1"
    })
    void fourSmallPiecesAndThenLargeOnes(int length, String lengths) {
        byte[] bytes = new byte[length + 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }

        List<MailPiece> pieces =
                MailPiece.of("an address", Octets.of(bytes, 1, length)).toList();

        assertThat(pieces)
                .extracting(piece -> piece.content().length())
                .containsExactlyElementsOf(List.of(lengths.split(" ")).stream()
                        .map(Integer::valueOf)
                        .toList());
        assertThat(pieces).extracting(MailPiece::number).isSorted();
        for (MailPiece piece : pieces) {
            assertThat(piece.content().offset()).isEqualTo(1 + MailPiece.begin(piece.number()));
        }
    }

    @Test
    void eachByteIsInThePieceThatBeginsAtOrBeforeIt() {
        assertThat(IntStream.range(0, 50_000))
                .allSatisfy(offset -> assertThat(offset)
                        .isBetween(
                                MailPiece.begin(MailPiece.at(offset)), MailPiece.begin(MailPiece.at(offset) + 1) - 1));
    }
}
