package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.backends.LoopbackPorts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * The addresses of three brokers, each with a proxy in front of a second listener. The proxies are a network that can be cut. Each
 * refuses connections while its broker is down. Safe for use by many threads.
 */
final class KafkaCluster implements AutoCloseable {

    static final String PREFIX = "kafka-";
    private static final int BROKERS = 3;

    private final List<Integer> ports = ports();
    private final List<Integer> proxyPorts = ports();
    private final List<LocalKafka.Member> members;
    private final Map<String, Balancer> proxies = new HashMap<>();

    KafkaCluster() {
        List<Integer> controllers = ports();
        List<Integer> proxied = ports();
        this.members = IntStream.range(0, BROKERS)
                .mapToObj(i -> new LocalKafka.Member(i + 1, controllers, proxied.get(i), proxyPorts.get(i)))
                .toList();
    }

    static List<String> labels() {
        return IntStream.rangeClosed(1, BROKERS).mapToObj(i -> PREFIX + i).toList();
    }

    int port(String label) {
        return ports.get(labels().indexOf(label));
    }

    LocalKafka.Member member(String label) {
        return members.get(labels().indexOf(label));
    }

    String bootstrapServers() {
        return servers(ports);
    }

    /** The brokers behind the network that can be cut. */
    String proxiedServers() {
        return servers(proxyPorts);
    }

    /** Opens the proxy of a broker that starts. */
    synchronized void open(String label) {
        LocalKafka.Member member = member(label);
        proxies.computeIfAbsent(
                label, _ -> new Balancer(member.proxy(), List.of(new Balancer.Replica(member.proxied(), () -> true))));
    }

    /** Closes the proxy of a broker that is down. */
    synchronized void close(String label) {
        Balancer proxy = proxies.remove(label);
        if (proxy != null) {
            proxy.close();
        }
    }

    synchronized void cut() {
        proxies.values().forEach(Balancer::cut);
    }

    synchronized void mend() {
        proxies.values().forEach(Balancer::mend);
    }

    @Override
    public synchronized void close() {
        Collection<Balancer> open = new ArrayList<>(proxies.values());
        proxies.clear();
        open.forEach(Balancer::close);
    }

    /** The broker that leads the first partition of a topic. */
    String leader(String topic) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()))) {
            TopicDescription described = Objects.requireNonNull(
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
            return PREFIX + described.partitions().getFirst().leader().id();
        }
    }

    private static String servers(List<Integer> ports) {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    private static List<Integer> ports() {
        return Stream.generate(LoopbackPorts::free).limit(BROKERS).toList();
    }
}
