package dev.oneshot.ingest.net;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.net.CidrAddress;
import io.smallrye.common.net.Inet;
import java.net.InetAddress;
import org.eclipse.microprofile.config.spi.Converter;

/** Parses {@code 10.0.0.0/8}, {@code 2001:db8::/32} or a single address. */
@RegisterForReflection
@SuppressWarnings("serial")
public final class NetworkConverter implements Converter<CidrAddress> {

    @Override
    public CidrAddress convert(String text) {
        if (!text.contains("/")) {
            InetAddress address = InetAddress.ofLiteral(text);
            return CidrAddress.create(address, address.getAddress().length * Byte.SIZE);
        }
        CidrAddress network = Inet.parseCidrAddress(text);
        if (network == null) {
            throw new IllegalArgumentException("not a network in CIDR notation: " + text);
        }
        return network;
    }
}
