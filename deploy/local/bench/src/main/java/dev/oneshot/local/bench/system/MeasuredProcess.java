package dev.oneshot.local.bench.system;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.oneshot.local.backends.Program;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A process, with the statistics of the operating system and of a JVM's management beans. */
public record MeasuredProcess(ProcessHandle handle) {

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

    @SuppressWarnings("BanJNDI") // The address is that of the attached local JVM.
    private long allocatedBytes() throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(handle.pid()));
            try (JMXConnector connector =
                    JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
                return ManagementFactory.getPlatformMXBean(connector.getMBeanServerConnection(), ThreadMXBean.class)
                        .getTotalThreadAllocatedBytes();
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot attach to process " + handle.pid(), e);
        }
    }
}
