package dev.oneshot.local.bench.send;

import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.api.HttpConnection;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** A worker that asks for one mail after another, and tells when each was accepted. */
final class SendLoad implements Load.Worker {

    private static final int CREATED = 201;
    private static final int TOO_MANY = 429;
    private static final long SEED = 42;
    private static final String TEXT = "Hello, here are the figures. Grüße, Anna";
    private static final String ID = "\"id\":\"";

    private final HttpConnection connection;
    private final List<byte[]> requests;
    private final AtomicInteger next;
    private final Deliveries deliveries;

    SendLoad(int port, List<byte[]> requests, AtomicInteger next, Deliveries deliveries) throws IOException {
        this.connection = new HttpConnection(port);
        this.requests = requests;
        this.next = next;
        this.deliveries = deliveries;
    }

    /** A request for a mail whose content, text and one attachment, has this many octets. */
    static byte[] request(String key, int contentOctets) {
        byte[] file = new byte[Math.max(0, contentOctets - TEXT.getBytes(StandardCharsets.UTF_8).length)];
        new Random(SEED).nextBytes(file);
        String json = """
                {"mode":"send","send":{"to":"somebody@recipient.example","subject":"Figures","text_body":"%s",\
                "attachments":[{"filename":"figures.pdf","content_type":"application/pdf","content_base64":"%s"}]}}""".formatted(ascii(TEXT), Base64.getEncoder().encodeToString(file));
        return HttpConnection.request("POST", "/v1/addresses", key, json);
    }

    /** HttpConnection counts characters, not octets. */
    private static String ascii(String text) {
        StringBuilder ascii = new StringBuilder();
        text.chars().forEach(c -> ascii.append(c < 128 ? String.valueOf((char) c) : "\\u%04x".formatted(c)));
        return ascii.toString();
    }

    @Override
    public boolean once() throws IOException {
        int status = connection.exchange(requests.get(Math.floorMod(next.getAndIncrement(), requests.size())));
        long now = System.nanoTime();
        if (status != CREATED && status != TOO_MANY) {
            throw new ProtocolException("expected " + CREATED + ", not " + status + " " + connection.body());
        }
        if (status == CREATED) {
            String body = connection.body();
            int begin = body.indexOf(ID) + ID.length();
            deliveries.accepted(body.substring(begin, body.indexOf('"', begin)), now);
        }
        return status == CREATED;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
