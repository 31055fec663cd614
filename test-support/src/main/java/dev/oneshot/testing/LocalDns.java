package dev.oneshot.testing;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Master;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * A name server on the loopback address, over UDP and TCP, that serves master files (RFC 1035 §5). It is
 * the authority for everything, and can be made to fail.
 */
public final class LocalDns implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(LocalDns.class);
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final int BACKLOG = 100;
    private static final int ATTEMPTS_MAX = 20;
    private static final int UDP_BYTES = 512;
    private static final int ALIASES_MAX = 12;
    private static final int DRIP_MILLIS = 500;

    private final Map<Name, List<Record>> zones = new ConcurrentHashMap<>();
    private final Map<Name, Fault> faults = new ConcurrentHashMap<>();
    private final AtomicInteger queries = new AtomicInteger();
    private final DatagramSocket udp;
    private final ServerSocket tcp;

    /** How it fails for a name, except for types that it has records of. */
    public enum Fault {
        /** Not at all. */
        NONE,
        /** No response. */
        SILENT,
        /** SERVFAIL. */
        SERVER_FAILURE,
        /** A truncated response over UDP, then one byte every half second over TCP. */
        SLOW_DRIP
    }

    /** Starts one with no records, on any free port. */
    public LocalDns() {
        ServerSocket listening = null;
        DatagramSocket receiving = null;
        for (int i = 0; listening == null || receiving == null; i++) {
            try {
                listening = new ServerSocket(0, BACKLOG, LOOPBACK);
                receiving = new DatagramSocket(new InetSocketAddress(LOOPBACK, listening.getLocalPort()));
            } catch (IOException e) {
                // A port free for TCP may be taken for UDP.
                close(listening);
                listening = null;
                if (i == ATTEMPTS_MAX) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        this.tcp = listening;
        this.udp = receiving;
        Thread.ofVirtual().name("local-dns-udp").start(this::serveUdp);
        Thread.ofVirtual().name("local-dns-tcp").start(this::serveTcp);
    }

    /** Its address as {@code oneshot.dns.servers} takes it. */
    public String address() {
        return "127.0.0.1:" + udp.getLocalPort();
    }

    /** How many queries it has received. */
    public int queries() {
        return queries.get();
    }

    /** Adds the records of a master file. Names without a last dot are below the root. */
    public LocalDns serve(String masterFile) {
        try (Master master = new Master(
                new ByteArrayInputStream(masterFile.getBytes(StandardCharsets.ISO_8859_1)), Name.root, 300)) {
            for (Record record = master.nextRecord(); record != null; record = master.nextRecord()) {
                serve(record);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Adds a record. */
    public LocalDns serve(Record record) {
        zones.computeIfAbsent(record.getName(), _ -> new ArrayList<>()).add(record);
        return this;
    }

    /** Removes all records and faults. */
    public void clear() {
        zones.clear();
        faults.clear();
    }

    /** Fails for a name from now on. */
    public LocalDns fail(String name, Fault fault) {
        faults.put(Name.fromConstantString(name.endsWith(".") ? name : name + '.'), fault);
        return this;
    }

    @Override
    public void close() {
        udp.close();
        close(tcp);
    }

    private static void close(@Nullable ServerSocket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serveUdp() {
        byte[] octets = new byte[Message.MAXLENGTH];
        while (!udp.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(octets, octets.length);
                udp.receive(packet);
                byte[] copy = Arrays.copyOf(packet.getData(), packet.getLength());
                Message query = new Message(copy);
                queries.incrementAndGet();
                Fault fault = fault(query);
                if (fault == Fault.SILENT) {
                    continue;
                }
                OPTRecord edns = query.getOPT();
                int bytesMax = edns == null ? UDP_BYTES : edns.getPayloadSize();
                Message response = response(query, fault);
                byte[] wire = response.toWire(Message.MAXLENGTH);
                if (wire.length > bytesMax || fault == Fault.SLOW_DRIP) {
                    Message truncated = new Message(query.getHeader().getID());
                    truncated.getHeader().setFlag(Flags.QR);
                    truncated.getHeader().setFlag(Flags.TC);
                    truncated.addRecord(query.getQuestion(), Section.QUESTION);
                    wire = truncated.toWire();
                }
                udp.send(new DatagramPacket(wire, wire.length, packet.getSocketAddress()));
            } catch (SocketException e) {
                LOG.debugf("name server stops: %s", e.getMessage());
            } catch (IOException e) {
                LOG.warnf("query not answered: %s", e.toString());
            }
        }
    }

    private void serveTcp() {
        while (!tcp.isClosed()) {
            try {
                Socket socket = tcp.accept();
                Thread.ofVirtual().name("local-dns-connection").start(() -> serve(socket));
            } catch (IOException e) {
                LOG.debugf("name server stops: %s", e.getMessage());
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream input = new DataInputStream(socket.getInputStream());
            byte[] octets = new byte[input.readUnsignedShort()];
            input.readFully(octets);
            Message query = new Message(octets);
            Fault fault = fault(query);
            byte[] wire = response(query, fault).toWire(Message.MAXLENGTH);
            DataOutputStream output = new DataOutputStream(socket.getOutputStream());
            output.writeShort(wire.length);
            for (int i = 0; fault == Fault.SLOW_DRIP && i < wire.length && !tcp.isClosed(); i++) {
                output.write(wire[i]);
                pause();
            }
            output.write(wire);
        } catch (IOException e) {
            LOG.debugf("query over TCP not answered: %s", e.toString());
        }
    }

    private static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(DRIP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("stopped");
        }
    }

    private Fault fault(Message query) {
        Record question = query.getQuestion();
        boolean known = zones.getOrDefault(question.getName(), List.of()).stream()
                .anyMatch(record -> record.getType() == question.getType());
        return known ? Fault.NONE : faults.getOrDefault(question.getName(), Fault.NONE);
    }

    private Message response(Message query, Fault fault) {
        Record question = query.getQuestion();
        Message response = new Message(query.getHeader().getID());
        response.getHeader().setFlag(Flags.QR);
        response.getHeader().setFlag(Flags.RA);
        response.addRecord(question, Section.QUESTION);
        if (fault == Fault.SERVER_FAILURE) {
            response.getHeader().setRcode(Rcode.SERVFAIL);
            return response;
        }
        Name name = question.getName();
        for (int i = 0; i < ALIASES_MAX; i++) {
            List<Record> records = zones.getOrDefault(name, List.of());
            Name alias = null;
            for (Record record : records) {
                boolean asked = record.getType() == question.getType();
                if (asked || record instanceof CNAMERecord) {
                    response.addRecord(record, Section.ANSWER);
                }
                alias = !asked && record instanceof CNAMERecord cname ? cname.getTarget() : alias;
            }
            if (alias == null) {
                response.getHeader()
                        .setRcode(records.isEmpty() && !hasNamesBelow(name) ? Rcode.NXDOMAIN : Rcode.NOERROR);
                return response;
            }
            name = alias;
        }
        return response;
    }

    private boolean hasNamesBelow(Name name) {
        return zones.keySet().stream().anyMatch(each -> each.subdomain(name));
    }
}
