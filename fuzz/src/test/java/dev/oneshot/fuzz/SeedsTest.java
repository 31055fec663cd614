package dev.oneshot.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedsTest {

    @Test
    void everyTargetHasSeeds() throws IOException {
        assertThat(Seeds.messages()).hasSizeGreaterThan(150);
        assertThat(Seeds.signedMessages()).isNotEmpty();
        assertThat(Seeds.dialogues()).hasSizeGreaterThan(100);
    }

    @Test
    void transcriptYieldsWhatItsClientSends() {
        List<String> transcript =
                List.of("# C: a comment", "S: 220 *", "C: a\\\\b\\x41\\s", "C| \\rep{3,ab}", "C|", "C: \u00e4", "S!");

        byte[] octets = ClientOctets.of(transcript);

        assertThat(octets).inHexadecimal().isEqualTo("a\\bA \r\nabababä\r\n".getBytes(StandardCharsets.UTF_8));
    }
}
