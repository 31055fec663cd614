package dev.oneshot.contracts.content;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.Octets;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The index of the content of a mail. The content is this index and then frames, each of which can be decoded alone: the plain bytes
 * are the structure and the message, cut every 64 KiB. A frame is compressed by Zstandard (RFC 8878), or plain if it would not shrink:
 * then it is as long as its plain bytes.
 *
 * <p>The index is big-endian: the lengths of the structure and of the message, and for each frame where it ends, counted from the
 * first byte of the content. All are of four bytes.
 */
public final class MailContent {

    /** The plain bytes of each frame but the last. Larger frames are hardly smaller when compressed. */
    public static final int FRAME_BYTES = 64 * 1024;

    /** The index of the largest message, 64 MiB with a structure of 8 MiB, has 4,616 bytes. */
    public static final int INDEX_BYTES_MAX = 5_000;

    private static final int LENGTHS = 2 * Integer.BYTES;
    private static final int LEVEL = 1;
    /** A table of 16 KiB, which fits the processor's first cache. The level's own, up to 128 KiB, takes a quarter more time for 10 KB. */
    private static final int HASH_LOG = 12;
    /** Mail that is at least half text compresses to less than this part of its bytes. */
    private static final double USUAL_RATIO = 0.625;

    // At most one for each running thread: no thread waits while it uses one.
    private static final Queue<ZstdCompressCtx> COMPRESSORS = new ConcurrentLinkedQueue<>();
    private static final Queue<ZstdDecompressCtx> DECOMPRESSORS = new ConcurrentLinkedQueue<>();

    private final int structureBytes;
    private final int messageBytes;
    private final int[] ends;

    private MailContent(int structureBytes, int messageBytes, int[] ends) {
        this.structureBytes = structureBytes;
        this.messageBytes = messageBytes;
        this.ends = ends;
    }

    /**
     * Compresses a mail.
     *
     * @param structure the structure as {@code EventCodec} encodes it
     * @throws IllegalArgumentException if the index would be longer than {@link #INDEX_BYTES_MAX}
     */
    public static Octets compress(byte[] structure, Octets message) {
        int plainBytes = Math.addExact(structure.length, message.length());
        int frames = frames(plainBytes);
        int begin = indexBytes(frames);
        if (begin > INDEX_BYTES_MAX) {
            throw new IllegalArgumentException("a mail of " + plainBytes + " bytes is too large");
        }
        byte[] plain = new byte[Math.min(plainBytes, FRAME_BYTES)];
        byte[] content = new byte[begin + (int) Zstd.compressBound(plain.length) + (int) (plainBytes * USUAL_RATIO)];
        ByteBuffer index =
                ByteBuffer.wrap(content, 0, begin).putInt(structure.length).putInt(message.length());
        int end = begin;
        ZstdCompressCtx compressor = compressor();
        for (int from = 0; from < plainBytes; from += FRAME_BYTES) {
            int length = Math.min(FRAME_BYTES, plainBytes - from);
            copy(structure, message, from, plain, length);
            int boundBytes = (int) Zstd.compressBound(length);
            if (content.length - end < boundBytes) {
                content = Arrays.copyOf(content, end + boundBytes + plainBytes - from);
                index = ByteBuffer.wrap(content, index.position(), begin - index.position());
            }
            int compressed = compressor.compressByteArray(content, end, boundBytes, plain, 0, length);
            if (compressed >= length) {
                System.arraycopy(plain, 0, content, end, length);
                compressed = length;
            }
            end += compressed;
            index.putInt(end);
        }
        COMPRESSORS.add(compressor);
        return Octets.of(content, 0, end);
    }

    /**
     * Reads the index.
     *
     * @param content the content, or the beginning of it that has the index
     * @throws EventFormatException if it is none
     */
    public static MailContent read(Octets content) throws EventFormatException {
        if (content.length() < LENGTHS) {
            throw new EventFormatException("content of " + content.length() + " bytes");
        }
        ByteBuffer index = ByteBuffer.wrap(content.array(), content.offset(), content.length());
        int structureBytes = index.getInt();
        int messageBytes = index.getInt();
        long plainBytes = (long) structureBytes + messageBytes;
        if (structureBytes < 0
                || messageBytes < 0
                || plainBytes > (long) INDEX_BYTES_MAX / Integer.BYTES * FRAME_BYTES) {
            throw new EventFormatException("impossible length of a mail: " + structureBytes + " and " + messageBytes);
        }
        int[] ends = new int[frames((int) plainBytes)];
        if (index.remaining() < ends.length * Integer.BYTES) {
            throw new EventFormatException("an index without its end");
        }
        int previous = indexBytes(ends.length);
        for (int i = 0; i < ends.length; i++) {
            ends[i] = index.getInt();
            int length = (int) Math.min(FRAME_BYTES, plainBytes - (long) i * FRAME_BYTES);
            if (ends[i] <= previous || ends[i] - previous > length) {
                throw new EventFormatException("impossible length of frame " + i);
            }
            previous = ends[i];
        }
        return new MailContent(structureBytes, messageBytes, ends);
    }

    private static int frames(int plainBytes) {
        return Math.ceilDiv(plainBytes, FRAME_BYTES);
    }

    private static int indexBytes(int frames) {
        return LENGTHS + frames * Integer.BYTES;
    }

    private static void copy(byte[] structure, Octets message, int from, byte[] frame, int length) {
        int ofStructure = Math.clamp(structure.length - from, 0, length);
        System.arraycopy(structure, Math.min(from, structure.length), frame, 0, ofStructure);
        int begin = message.offset() + Math.max(0, from - structure.length);
        System.arraycopy(message.array(), begin, frame, ofStructure, length - ofStructure);
    }

    private static ZstdCompressCtx compressor() {
        ZstdCompressCtx free = COMPRESSORS.poll();
        return free == null
                ? new ZstdCompressCtx()
                        .setLevel(LEVEL)
                        .setHashLog(HASH_LOG)
                        .setContentSize(false)
                        .setChecksum(true)
                : free;
    }

    /** The length of the encoded structure, with which the plain bytes begin. */
    public int structureBytes() {
        return structureBytes;
    }

    /** The length of the message, which follows the structure. */
    public int messageBytes() {
        return messageBytes;
    }

    /** The length of the whole content. */
    public int contentBytes() {
        return ends.length == 0 ? LENGTHS : ends[ends.length - 1];
    }

    public int frames() {
        return ends.length;
    }

    /** Where a frame begins in the content; the end of the last frame for the number of frames. */
    public int begin(int frame) {
        return frame == 0 ? indexBytes(ends.length) : ends[frame - 1];
    }

    /**
     * Decodes consecutive frames.
     *
     * @param from the first frame
     * @param to the frame after the last
     * @param bytes an array with the content of these frames
     * @param offset where the first frame begins in the array
     * @throws EventFormatException if a frame is damaged
     */
    public byte[] decode(int from, int to, byte[] bytes, int offset) throws EventFormatException {
        byte[] plain = new byte[Math.min(to * FRAME_BYTES, structureBytes + messageBytes) - from * FRAME_BYTES];
        for (int frame = from; frame < to; frame++) {
            decode(frame, bytes, offset + begin(frame) - begin(from), plain, (frame - from) * FRAME_BYTES);
        }
        return plain;
    }

    private void decode(int frame, byte[] bytes, int offset, byte[] plain, int at) throws EventFormatException {
        int length = Math.min(FRAME_BYTES, plain.length - at);
        int compressed = begin(frame + 1) - begin(frame);
        if (compressed == length) {
            System.arraycopy(bytes, offset, plain, at, length);
            return;
        }
        ZstdDecompressCtx free = DECOMPRESSORS.poll();
        ZstdDecompressCtx decompressor = free == null ? new ZstdDecompressCtx() : free;
        try {
            if (decompressor.decompressByteArray(plain, at, length, bytes, offset, compressed) != length) {
                throw new EventFormatException("frame " + frame + " has another length");
            }
        } catch (ZstdException e) {
            throw new EventFormatException("frame " + frame + " is damaged", e);
        } finally {
            DECOMPRESSORS.add(decompressor);
        }
    }
}
