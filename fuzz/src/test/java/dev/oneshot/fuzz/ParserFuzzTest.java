package dev.oneshot.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import dev.oneshot.message.Law;
import dev.oneshot.message.MessageLaws;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import dev.oneshot.message.MessageStructure;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of the message reader for any input, wherever it lies and with other bounds, and how much it allocates. */
class ParserFuzzTest {

    private static final MessageLimits TIGHT = new MessageLimits(6, 2, 8, 400);
    private static final int SHIFT = 7;

    /** The buffers of {@link MessageLimits#DEFAULTS} parts, which do not depend on the length. */
    private static final long ALLOCATION_BASE_BYTES = 2L << 20;

    private static final long ALLOCATION_BYTES_PER_BYTE = 300;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @DictionaryFile(resourcePath = "parser.dict")
    @MethodSource("dev.oneshot.fuzz.Seeds#messages")
    @FuzzTest
    void messageKeepsTheLaws(byte[] input) {
        MessageStructure structure = readWithinAllocation(input);
        MessageLaws.check(input, structure);
        shifted(input, structure);
        MessageStructure tight = MessageReader.read(input, 0, input.length, TIGHT);
        MessageLaws.check(input, tight);
        Law.requires(tight.headers().size() <= TIGHT.headerFieldsMax(), () -> "more header fields than the bound");
        Law.requires(tight.attachments().size() <= TIGHT.partsMax(), () -> "more attachments than parts");
        if (tight.complete()) {
            Law.requires(tight.equals(structure), () -> "complete, but read differently than without a bound");
        }
    }

    private static MessageStructure readWithinAllocation(byte[] input) {
        MessageStructure structure = MessageReader.read(input, 0, input.length, MessageLimits.DEFAULTS);
        // The first read may load classes, which the fuzzer rewrites on this thread.
        long before = THREADS.getCurrentThreadAllocatedBytes();
        MessageStructure again = MessageReader.read(input, 0, input.length, MessageLimits.DEFAULTS);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        Law.requires(
                allocated <= ALLOCATION_BASE_BYTES + ALLOCATION_BYTES_PER_BYTE * input.length,
                () -> allocated + " bytes allocated for a message of " + input.length);
        Law.requires(structure.equals(again), () -> "read differently the second time");
        return structure;
    }

    /** The result does not depend on where the message is in its array, or on what surrounds it. */
    private static void shifted(byte[] input, MessageStructure structure) {
        byte[] surrounded = new byte[input.length + 2 * SHIFT];
        Arrays.fill(surrounded, (byte) '-');
        System.arraycopy(input, 0, surrounded, SHIFT, input.length);
        Law.requires(
                structure.equals(MessageReader.read(surrounded, SHIFT, input.length, MessageLimits.DEFAULTS)),
                () -> "read differently at another place");
    }
}
