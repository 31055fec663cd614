package dev.oneshot.local.bench.system;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.oneshot.local.backends.Program;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A process, with the statistics of the operating system and of a JVM's management beans. */
public record MeasuredProcess(ProcessHandle handle) {

    /** How long one turn of a warm-up should take. */
    public static final Duration TURN = Duration.ofSeconds(5);

    private static final int TURNS_MAX = 12;
    private static final double COMPILING_MAX = 0.1;

    /**
     * A measurement of a load on this process.
     *
     * @param processorMicros processor time of all threads for each operation
     * @param heapBytes bytes that all threads, including virtual ones, allocated for each operation
     */
    public record Measurement(Outcome outcome, double processorMicros, double heapBytes) {

        public double perSecond() {
            return outcome.perSecond();
        }
    }

    public static MeasuredProcess of(LocalStack stack, Service service) {
        return new MeasuredProcess(stack.process(service));
    }

    /** The processes of all services. */
    public static List<MeasuredProcess> services(LocalStack stack) {
        return Arrays.stream(Service.values())
                .map(service -> of(stack, service))
                .toList();
    }

    /**
     * Repeats a load until the compilers of all servers together work less than a tenth of one turn, at most a minute.
     * Before that they take a processor from the measurement.
     *
     * @param load takes about {@link #TURN}
     */
    public static void warmUp(List<MeasuredProcess> servers, Callable<?> load) throws Exception {
        double compiling = 1;
        for (int turns = 0; turns < TURNS_MAX && compiling > COMPILING_MAX; turns++) {
            long before = compilationMillis(servers);
            load.call();
            compiling = (compilationMillis(servers) - before) / (double) TURN.toMillis();
        }
    }

    /** As {@link #warmUp(List, Callable)}, with a load on this server alone. */
    public void warmUp(Load<?> load) throws Exception {
        warmUp(List.of(this), () -> load.peak(TURN));
    }

    /** Measures what a load costs this process. */
    public Measurement measure(Callable<Outcome> load) throws Exception {
        long allocated = allocatedBytes();
        Duration processor = processorTime();
        Outcome outcome = load.call();
        double micros = processorTime().minus(processor).toNanos() / 1e3;
        double operations = Math.max(outcome.done(), 1);
        return new Measurement(outcome, micros / operations, (allocatedBytes() - allocated) / operations);
    }

    /** Processor time since the start, including that of child processes that still run. */
    public Duration processorTime() {
        return Stream.concat(Stream.of(handle), handle.descendants())
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Resident memory in MiB. */
    public long residentMib() throws IOException {
        String kibibytes = Program.run(List.of("ps", "-o", "rss=", "-p", Long.toString(handle.pid())));
        return Long.parseLong(kibibytes.strip()) / 1024;
    }

    private long allocatedBytes() throws IOException {
        return bean(ThreadMXBean.class, ThreadMXBean::getTotalThreadAllocatedBytes);
    }

    private static long compilationMillis(List<MeasuredProcess> servers) throws IOException {
        long millis = 0;
        for (MeasuredProcess server : servers) {
            millis += server.bean(CompilationMXBean.class, CompilationMXBean::getTotalCompilationTime);
        }
        return millis;
    }

    @SuppressWarnings("BanJNDI") // The address is that of the attached local JVM.
    private <B extends PlatformManagedObject> long bean(Class<B> type, ToLongFunction<B> value) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(handle.pid()));
            try (JMXConnector connector =
                    JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
                return value.applyAsLong(
                        ManagementFactory.getPlatformMXBean(connector.getMBeanServerConnection(), type));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot attach to process " + handle.pid(), e);
        }
    }
}
