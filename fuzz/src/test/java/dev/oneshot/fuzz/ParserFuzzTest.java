package dev.oneshot.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import dev.oneshot.message.MessageLaws;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import dev.oneshot.message.MessageStructure;
import dev.oneshot.testing.Law;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of the message reader for any input, also with other bounds, and how much it allocates. */
class ParserFuzzTest {

    private static final MessageLimits TIGHT = new MessageLimits(6, 2, 8, 400);

    /** The buffers of {@link MessageLimits#DEFAULTS} parts, which do not depend on the length. */
    private static final long ALLOCATION_BASE_BYTES = 2L << 20;

    private static final long ALLOCATION_BYTES_PER_BYTE = 300;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @DictionaryFile(resourcePath = "parser.dict")
    @MethodSource("dev.oneshot.fuzz.Seeds#messages")
    @FuzzTest
    void messageKeepsTheLaws(byte[] input) {
        MessageStructure structure = MessageLaws.check(input, MessageLimits.DEFAULTS);
        isReadWithinAllocation(input);

        MessageStructure tight = MessageLaws.check(input, TIGHT);
        Law.requires(tight.headers().size() <= TIGHT.headerFieldsMax(), () -> "more header fields than the bound");
        Law.requires(tight.attachments().size() <= TIGHT.partsMax(), () -> "more attachments than parts");
        if (tight.complete()) {
            Law.requires(tight.equals(structure), () -> "complete, but read differently than without a bound");
        }
    }

    /** The input has been read before, as the first read may load classes, which the fuzzer rewrites on this thread. */
    private static void isReadWithinAllocation(byte[] input) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        var _ = MessageReader.read(input, 0, input.length, MessageLimits.DEFAULTS);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        Law.requires(
                allocated <= ALLOCATION_BASE_BYTES + ALLOCATION_BYTES_PER_BYTE * input.length,
                () -> allocated + " bytes allocated for a message of " + input.length);
    }
}
