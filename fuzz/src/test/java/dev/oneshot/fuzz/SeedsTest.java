package dev.oneshot.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SeedsTest {

    @Test
    void everyTargetHasSeeds() throws IOException {
        assertThat(Seeds.messages()).hasSizeGreaterThan(150);
        assertThat(Seeds.signedMessages()).isNotEmpty();
        assertThat(Seeds.dialogues()).hasSizeGreaterThan(100);
    }
}
