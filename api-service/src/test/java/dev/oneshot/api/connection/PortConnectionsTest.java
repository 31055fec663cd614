package dev.oneshot.api.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.connection.PortConnections.Bound;
import dev.oneshot.api.connection.PortConnections.Connection;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A port for four connections, three of them of one client network. */
class PortConnectionsTest {

    private final List<Bound> reached = new ArrayList<>();
    private final PortConnections port = new PortConnections(4, 3, reached::add);
    private final List<String> closed = new ArrayList<>();

    @Test
    void clientAtItsBoundWithoutAnIdleConnectionGetsNoOther() {
        for (String name : List.of("a", "b", "c")) {
            connect("192.0.2.1", name).beginRequest();
        }

        Connection fourth = admit("192.0.2.1", "d");

        assertThat(fourth).isNull();
        assertThat(admit("192.0.2.2", "e")).isNotNull();
        assertThat(reached).containsExactly(Bound.CLIENT);
        assertThat(closed).isEmpty();
    }

    @Test
    void placesComeBackOnceAlsoIfAConnectionWasClosedForAnother() {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            connections.add(connect("192.0.2.1", "c" + i));
        }
        assertThat(port.open()).isEqualTo(3);

        connections.forEach(Connection::leave);
        connections.forEach(Connection::leave);

        assertThat(port.open()).isZero();
        reached.clear();
        for (int i = 0; i < 3; i++) {
            connect("192.0.2.1", "d" + i);
        }
        assertThat(reached).isEmpty();
    }

    @Test
    void connectionThatWasClosedForAnotherBeginsNoRequest() {
        Connection first = connect("192.0.2.1", "a");
        connect("192.0.2.1", "b");
        connect("192.0.2.1", "c");
        connect("192.0.2.1", "d");

        assertThat(first.beginRequest()).isFalse();
        first.endRequest();

        connect("192.0.2.1", "e");
        assertThat(closed).as("it has no place to lose").containsExactly("a", "b");
    }

    @Test
    void connectionIsIdleWhenTheLastOfItsRequestsEnds() {
        Connection busy = connect("192.0.2.1", "a");
        busy.beginRequest();
        busy.beginRequest();
        busy.endRequest();
        connect("192.0.2.1", "b").beginRequest();
        connect("192.0.2.1", "c").beginRequest();
        assertThat(admit("192.0.2.1", "d")).isNull();

        busy.endRequest();

        assertThat(admit("192.0.2.1", "d")).isNotNull();
        assertThat(closed).containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2:ffff::1, true",
        "2001:db8:1:2::1, 2001:db8:1:3::1, false",
        "::ffff:192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false"
    })
    void clientIsAnIpv4AddressOrAnIpv6Network(String one, String other, boolean same) {
        assertThat(network(one).equals(network(other))).isEqualTo(same);
    }

    private static ClientNetwork network(String literal) {
        return ClientNetwork.of(InetAddress.ofLiteral(literal));
    }

    private Connection connect(String client, String name) {
        return Objects.requireNonNull(admit(client, name));
    }

    private @Nullable Connection admit(String client, String name) {
        return port.admit(network(client), false, () -> closed.add(name));
    }
}
