package dev.oneshot.local.bench.parse;

import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.parser.AbstractContentHandler;
import org.apache.james.mime4j.parser.MimeStreamParser;
import org.apache.james.mime4j.stream.MimeConfig;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Each operation reads every message once. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class StructureReading {

    /** The folder of the messages. */
    @Param("")
    public String directory = "";

    private List<byte[]> messages = List.of();

    /** Reads the messages into memory. */
    @Setup
    public void load() throws IOException {
        messages = ParseBenchmark.messages(Path.of(directory));
    }

    /** Ours: header fields decoded, every leaf with its offsets. */
    @Benchmark
    public void oneshot(Blackhole blackhole) {
        for (byte[] message : messages) {
            blackhole.consume(MessageReader.read(message, 0, message.length, MessageLimits.DEFAULTS));
        }
    }

    /** mime4j's parser alone, with an empty handler: no field decoded, no body kept. */
    @Benchmark
    public void mime4jEvents() throws MimeException, IOException {
        for (byte[] message : messages) {
            MimeStreamParser parser = new MimeStreamParser(MimeConfig.PERMISSIVE);
            parser.setContentHandler(new AbstractContentHandler() {});
            parser.parse(new ByteArrayInputStream(message));
        }
    }

    /** mime4j's message with its parts, as an application uses it. */
    @Benchmark
    public void mime4jMessage(Blackhole blackhole) throws IOException {
        DefaultMessageBuilder builder = new DefaultMessageBuilder();
        builder.setMimeEntityConfig(MimeConfig.PERMISSIVE);
        for (byte[] bytes : messages) {
            Message message = builder.parseMessage(new ByteArrayInputStream(bytes));
            blackhole.consume(message.getSubject());
            message.dispose();
        }
    }
}
