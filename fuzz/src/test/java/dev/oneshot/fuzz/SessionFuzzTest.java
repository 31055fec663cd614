package dev.oneshot.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.oneshot.ingest.transcript.SessionLaws;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of the SMTP session for any input. */
class SessionFuzzTest {

    @DictionaryFile(resourcePath = "session.dict")
    @MethodSource("dev.oneshot.fuzz.Seeds#dialogues")
    @FuzzTest
    void dialogueKeepsTheLaws(byte[] octets) {
        SessionLaws.check(SessionLaws.TIGHT, octets);
    }
}
