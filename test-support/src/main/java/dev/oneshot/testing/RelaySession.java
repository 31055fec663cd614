package dev.oneshot.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.net.ssl.SSLSocket;

/** One session of a {@link ScriptedRelay}. */
final class RelaySession {

    /** How many lines of data it reads before the reply in the middle. */
    private static final int MIDDLE = 100;

    /** How much of the data of a mail is kept, in characters. */
    private static final int KEPT = 1024 * 1024;

    private final ScriptedRelay relay;
    private final BufferedReader in;
    private final OutputStream out;
    private final Socket socket;
    private String from = "";
    private String to = "";

    RelaySession(ScriptedRelay relay, Socket socket) throws IOException {
        this.relay = relay;
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        this.out = socket.getOutputStream();
    }

    boolean greet() throws IOException {
        return reply(relay.script().greeting());
    }

    void talk() throws IOException {
        boolean open = true;
        while (open) {
            String line = in.readLine();
            if (line == null) {
                return;
            }
            if (line.equals("QUIT")) {
                reply("221 2.0.0 bye");
                return;
            }
            if (relay.script().keepsMails()) {
                relay.commands().add(line);
            }
            open = respond(line);
        }
    }

    private boolean respond(String line) throws IOException {
        if (line.startsWith("EHLO")) {
            boolean offersTls = relay.hasCertificate() && !(socket instanceof SSLSocket);
            return reply(
                    offersTls
                            ? relay.script().hello().replaceFirst("\r\n", "\r\n250-STARTTLS\r\n")
                            : relay.script().hello());
        }
        if (line.equals("STARTTLS") && relay.hasCertificate()) {
            reply(relay.script().goAhead());
            new RelaySession(relay, relay.encrypted(socket)).talk();
            return false;
        }
        String reply =
                line.equals("DATA") ? relay.script().begin(to) : relay.script().command(line);
        if (line.startsWith("MAIL FROM:")) {
            from = line.substring(line.indexOf('<') + 1, line.indexOf('>'));
        } else if (line.startsWith("RCPT TO:")) {
            to = line.substring(line.indexOf('<') + 1, line.lastIndexOf('>'));
        }
        return reply(reply) && (!reply.startsWith("354") || readData());
    }

    private boolean readData() throws IOException {
        StringBuilder data = new StringBuilder();
        MessageDigest digest = sha256();
        boolean keeps = relay.script().keepsMails();
        int lines = 0;
        for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
            if (line == null || (++lines == MIDDLE && !replyInTheMiddle())) {
                return false;
            }
            if (keeps) {
                digest.update((line + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
            if (keeps && data.length() < KEPT) {
                data.append(line.startsWith(".") ? line.substring(1) : line).append("\r\n");
            }
        }
        ScriptedRelay.Mail mail = new ScriptedRelay.Mail(
                from, to, data.toString(), HexFormat.of().formatHex(digest.digest()), System.nanoTime());
        String reply = relay.script().data(mail);
        if (keeps && reply.startsWith("250")) {
            relay.taken().add(mail);
        }
        return reply(reply);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    private boolean replyInTheMiddle() throws IOException {
        for (String reply : relay.script().inTheMiddle()) {
            if (!reply(reply)) {
                return false;
            }
        }
        return true;
    }

    private boolean reply(String reply) throws IOException {
        if (reply.equals(ScriptedRelay.DROP)) {
            return false;
        }
        if (reply.equals(ScriptedRelay.DEAF)) {
            relay.awaitClose();
            return false;
        }
        if (reply.equals(ScriptedRelay.HANG)) {
            return in.read() >= 0;
        }
        out.write((reply + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        return true;
    }
}
