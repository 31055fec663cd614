package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.http.PortConnections.Admission;
import dev.oneshot.api.http.PortConnections.Bound;
import dev.oneshot.api.http.PortConnections.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A port for four connections, three of them of one client network. */
class PortConnectionsTest {

    private final PortConnections port = new PortConnections(4, 3);
    private final List<String> closed = new ArrayList<>();

    @Test
    void clientAtItsBoundWithoutAnIdleConnectionGetsNoOther() {
        for (String name : List.of("a", "b", "c")) {
            connect("192.0.2.1", name).beginRequest();
        }

        Admission fourth = admit("192.0.2.1", "d");

        assertThat(fourth.connection()).isNull();
        assertThat(fourth.reached()).isEqualTo(Bound.CLIENT);
        assertThat(admit("192.0.2.2", "e")).satisfies(other -> {
            assertThat(other.connection()).isNotNull();
            assertThat(other.reached()).isNull();
        });
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
        for (int i = 0; i < 3; i++) {
            assertThat(admit("192.0.2.1", "d" + i).reached()).isNull();
        }
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
        assertThat(admit("192.0.2.1", "d").connection()).isNull();

        busy.endRequest();

        assertThat(admit("192.0.2.1", "d").connection()).isNotNull();
        assertThat(closed).containsExactly("a");
    }

    private Connection connect(String client, String name) {
        return Objects.requireNonNull(admit(client, name).connection());
    }

    private Admission admit(String client, String name) {
        return port.admit(ClientNetwork.parse(client), false, () -> closed.add(name));
    }
}
