package dev.oneshot.local.bench.system;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A process as the operating system and its JVM account for it. */
public final class MeasuredProcess {

    private static final int KIBIBYTE = 1024;

    private final ProcessHandle handle;

    MeasuredProcess(ProcessHandle handle) {
        this.handle = handle;
    }

    /** Processor time used since its start, by all of its threads. */
    public Duration processorTime() {
        return handle.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Resident memory in MiB; 0 where there is no {@code /proc}. */
    public long residentMib() throws IOException {
        return status("VmRSS:");
    }

    /** The most resident memory it ever had, in MiB; 0 where there is no {@code /proc}. */
    public long residentPeakMib() throws IOException {
        return status("VmHWM:");
    }

    /** Octets allocated on the heap since its start by all threads, virtual ones included. */
    public long allocatedBytes() throws IOException {
        return ask(jvm -> ManagementFactory.newPlatformMXBeanProxy(
                        jvm, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class)
                .getTotalThreadAllocatedBytes());
    }

    /** What the compilers of its JVM have worked since its start, all of their threads together. */
    public Duration compilationTime() throws IOException {
        return Duration.ofMillis(ask(jvm -> ManagementFactory.newPlatformMXBeanProxy(
                        jvm, ManagementFactory.COMPILATION_MXBEAN_NAME, CompilationMXBean.class)
                .getTotalCompilationTime()));
    }

    @FunctionalInterface
    private interface Question {
        long to(MBeanServerConnection jvm) throws IOException;
    }

    @SuppressWarnings("BanJNDI") // The address comes from the JVM that was just attached to, not from outside.
    private long ask(Question question) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(handle.pid()));
            try (JMXConnector connector =
                    JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
                return question.to(connector.getMBeanServerConnection());
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot ask process " + handle.pid(), e);
        }
    }

    private long status(String field) throws IOException {
        Path file = Path.of("/proc", Long.toString(handle.pid()), "status");
        if (Files.notExists(file)) {
            return 0;
        }
        List<String> lines = Files.readAllLines(file);
        for (String line : lines) {
            if (line.startsWith(field)) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) / KIBIBYTE;
            }
        }
        return 0;
    }
}
