package dev.oneshot.mailer.relay;

import dev.oneshot.contracts.event.MailSettled.Failure;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jboss.logging.Logger;

/** A socket that carries commands and replies. One thread may write and one read; any may call {@link #abort()}. */
final class SmtpChannel {

    private static final Logger LOG = Logger.getLogger(SmtpChannel.class);
    private static final int LINE_OCTETS_MAX = 2000;
    private static final int LINES_MAX = 100;
    /** Code, separator and text, without the LF. A hyphen says that another line follows. */
    private static final Pattern REPLY_LINE = Pattern.compile("([2-5][0-9]{2})(?:([ -])(.*?))?\\r?", Pattern.DOTALL);

    private static final int BUFFER_OCTETS = 32 * 1024;

    /** The TCP connection, also under TLS. Closing it never blocks. */
    private Socket tcp = new Socket();

    private boolean aborted;
    private Socket socket = tcp;
    private InputStream in = InputStream.nullInputStream();
    private OutputStream out = OutputStream.nullOutputStream();

    /** Tries all addresses in turn, as some addresses of a name may not respond (RFC 5321 §5.1). */
    void connect(InetAddress[] addresses, int port, Duration timeout) throws IOException {
        IOException failure = new UnknownHostException("the relay's name has no addresses");
        for (InetAddress address : addresses) {
            Socket attempt = newSocket();
            try {
                attempt.setTcpNoDelay(true);
                attempt.connect(new InetSocketAddress(address, port), Math.toIntExact(timeout.toMillis()));
                use(attempt);
                return;
            } catch (IOException e) {
                attempt.close();
                failure = e;
            }
        }
        throw failure;
    }

    /** A socket that failed to connect cannot be used again. */
    private synchronized Socket newSocket() throws IOException {
        if (aborted) {
            throw new SocketException("connection aborted");
        }
        tcp = new Socket();
        return tcp;
    }

    /** Starts TLS. Unread bytes that the relay sent in the clear are dropped, as they must be. */
    void encrypt(SSLSocketFactory factory, String host, int port, Duration timeout) throws IOException {
        SSLSocket encrypted = (SSLSocket) factory.createSocket(socket, host, port, true);
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        encrypted.setSSLParameters(parameters);
        encrypted.setSoTimeout(Math.toIntExact(timeout.toMillis()));
        encrypted.startHandshake();
        use(encrypted);
    }

    private void use(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_OCTETS);
    }

    SmtpReply command(String line, Duration timeout) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        return reply(timeout);
    }

    /** The stream for the data; the caller flushes it. */
    OutputStream data() {
        return out;
    }

    /** Whether unexpected bytes have arrived. Not to be called while a reply is awaited. */
    boolean hasMore() throws IOException {
        return in.available() > 0;
    }

    /** Whether unread bytes have arrived; for any thread. */
    boolean hasUnread() throws IOException {
        return tcp.getInputStream().available() > 0;
    }

    /** Waits until a reply begins, or the connection ends or is aborted. */
    void awaitReply() throws IOException {
        socket.setSoTimeout(0);
        in.mark(1);
        int _ = in.read();
        in.reset();
    }

    SmtpReply reply(Duration timeout) throws IOException {
        socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
        return reply();
    }

    /** Reads a reply with the current timeout. */
    SmtpReply reply() throws IOException {
        List<String> texts = new ArrayList<>();
        while (texts.size() < LINES_MAX) {
            Matcher line = REPLY_LINE.matcher(line());
            if (!line.matches()) {
                throw new SmtpFailure(Failure.CONNECTION, null, "not an SMTP reply");
            }
            texts.add(Objects.requireNonNullElse(line.group(3), ""));
            if (!"-".equals(line.group(2))) {
                return new SmtpReply(Integer.parseInt(line.group(1)), texts);
            }
        }
        throw new SmtpFailure(Failure.CONNECTION, null, "too many lines in a reply");
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new SmtpFailure(Failure.CONNECTION, null, "the relay closed the connection");
            }
            if (line.length() == LINE_OCTETS_MAX) {
                throw new SmtpFailure(Failure.CONNECTION, null, "a reply line is too long");
            }
            line.append((char) octet);
        }
        return line.toString();
    }

    /** Closes the connection at once, from any thread. Threads that wait for it fail. */
    synchronized void abort() {
        aborted = true;
        try {
            tcp.close();
        } catch (IOException e) {
            LOG.debugf("relay connection could not be closed: %s", e.getMessage());
        }
    }
}
