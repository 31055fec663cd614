package dev.oneshot.ingest.transport;

import java.net.InetAddress;
import java.util.List;

/**
 * Where load balancers are whose PROXY headers are believed.
 *
 * @param networks none of them if there are no balancers
 */
record ProxyNetworks(List<Network> networks) {

    ProxyNetworks {
        networks = List.copyOf(networks);
    }

    boolean contain(InetAddress peer) {
        return networks.stream().anyMatch(network -> network.contains(peer));
    }
}
