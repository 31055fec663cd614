package dev.oneshot.client;

import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The client of an account. Its methods are the operations of the service's OpenAPI document, and {@link #awaitEmail}:
 *
 * <pre>{@code
 * OneshotClient client = OneshotClient.builder().baseUrl("http://127.0.0.1:8080/v1").apiKey(key).build();
 * Address address = client.createAddress();
 * signUpForm.submit(address.address());
 * Email email = client.awaitEmail(address, Duration.ofSeconds(20));
 * signUpForm.enter(email.codes().get(0).value());
 * }</pre>
 *
 * <p>For any number of threads: keep one client. It has nothing to close. A wait, also of a virtual thread, costs the service
 * a poll each 2 s, and all waits of a client together use at most four fifths of the account's rate. At most 64 requests run at
 * once; more wait for their turn.
 *
 * <p>Every method repeats a request for which the rate limit is exceeded (429) after {@code Retry-After}, for a minute in all,
 * and a request that fails (5xx, a broken connection, no response in time) up to three attempts with exponential backoff. (The JDK
 * itself repeats a GET whose connection breaks before a byte of the response.) It throws an {@link ApiException} for an error
 * response, and an {@link OneshotException} if there is no usable response or the thread is interrupted; the thread then stays
 * interrupted.
 *
 * <p>Where a method takes an id, the whole address is also fine.
 */
public final class OneshotClient {

    private static final Pattern ID = Pattern.compile("([A-Za-z0-9]{1,64})(@.*)?");
    private static final Pattern DOWNLOAD = Pattern.compile("/addresses/[A-Za-z0-9]+/email/attachments/[0-9]+");

    private final Transport transport;
    private final PollPacing pacing = new PollPacing();
    /** The idempotency key of the next replacement of the API key. */
    private String replacement = randomKey();

    private OneshotClient(Builder builder, String baseUrl, String apiKey, HttpClient http) {
        this.transport = new Transport(http, baseUrl, apiKey, builder.requestTimeout, builder.responseBytesMax, pacing);
    }

    /** A builder with the default settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** Creates an address that receives one e-mail and lives for an hour, or for less if the plan allows less. */
    public Address createAddress() {
        return createAddress(CreateAddress.receive());
    }

    /**
     * Creates an address, which sends its e-mail at once if there is one to send:
     * {@code client.createAddress(CreateAddress.receive().withLabel("sign-up"))}. The request carries an idempotency key, so
     * that it creates one address also if it is repeated.
     *
     * @throws ApiException 400 or 422 if a value is out of the bounds of the contract or the plan, 402 if the allocation and
     *     the credits are used up
     */
    public Address createAddress(CreateAddress request) {
        return Json.of(transport.send(Transport.Call.post("/addresses", Json.of(request), randomKey())))
                .address();
    }

    /**
     * Reads an address, with a summary of its e-mail if it has one.
     *
     * @throws NotFoundException if the account has no such address
     * @throws AddressExpiredException if its time is up
     */
    public Address getAddress(String id) {
        return Json.of(transport.send(Transport.Call.of("GET", path(id)))).address();
    }

    /** The addresses of the account, newest first, as {@link #listAddresses(AddressFilter)} with {@link AddressFilter#ALL}. */
    public Iterable<Address> listAddresses() {
        return listAddresses(AddressFilter.ALL);
    }

    /**
     * The addresses that the filter lets through, newest first. Each iterator reads pages of 100 as it gets to them, and fails as
     * any other method does: {@code for (Address address : client.listAddresses(AddressFilter.ALL.withLabel("sign-up")))}.
     */
    public Iterable<Address> listAddresses(AddressFilter filter) {
        return () -> new AddressPages(transport, filter);
    }

    /**
     * Deletes an address and its e-mail.
     *
     * @throws NotFoundException if the account has no such address
     */
    public void deleteAddress(String id) {
        transport.send(Transport.Call.of("DELETE", path(id)));
    }

    /**
     * Deletes all addresses with exactly this label, and their e-mail, if there are any.
     *
     * @param label 1 to 255 characters
     * @throws IllegalArgumentException if it is empty
     */
    public void deleteAddressesByLabel(String label) {
        if (Objects.requireNonNull(label, "label").isEmpty()) {
            throw new IllegalArgumentException("label must have 1 to 255 characters; nothing is deleted");
        }
        transport.send(
                Transport.Call.of("DELETE", "/addresses?label=" + URLEncoder.encode(label, StandardCharsets.UTF_8)));
    }

    /**
     * The e-mail of an address.
     *
     * @throws NotFoundException if it has none yet, or the account has no such address
     * @throws AddressExpiredException if the time of the address is up
     */
    public Email getEmail(String id) {
        return Json.of(transport.send(Transport.Call.of("GET", path(id) + "/email")))
                .email();
    }

    /**
     * The e-mail as it was received (RFC 5322), with the trace header fields of the service in front. Close the stream:
     * {@code try (InputStream raw = client.getRawEmail(id))}. A read fails with an {@link java.io.IOException} if the
     * connection breaks, or no byte comes within the request time-out.
     *
     * @throws NotFoundException if there is no e-mail yet, or the account has no such address
     * @throws AddressExpiredException if the time of the address is up
     */
    public InputStream getRawEmail(String id) {
        return transport.send(Transport.Call.download(path(id) + "/email/raw")).stream();
    }

    /**
     * The decoded content of an attachment, as a stream like {@link #getRawEmail}.
     *
     * @param index the position in {@link Email#attachments()}, from 0
     * @throws IllegalArgumentException if the index is negative
     * @throws NotFoundException if there is no such attachment
     * @throws AddressExpiredException if the time of the address is up
     */
    public InputStream getAttachment(String id, int index) {
        if (index < 0) {
            throw new IllegalArgumentException("index must be at least 0, not " + index);
        }
        return transport.send(Transport.Call.download(path(id) + "/email/attachments/" + index)).stream();
    }

    /** The decoded content of this attachment, as {@link #getAttachment(String, int)}. */
    public InputStream getAttachment(Attachment attachment) {
        if (!DOWNLOAD.matcher(attachment.downloadUrl()).matches()) {
            throw new IllegalArgumentException("not an attachment of this service: " + attachment.downloadUrl());
        }
        return transport.send(Transport.Call.download(attachment.downloadUrl())).stream();
    }

    /** As {@link #awaitEmail(String, Duration)}. */
    public Email awaitEmail(Address address, Duration timeout) throws InterruptedException {
        return awaitEmail(address.id(), timeout);
    }

    /**
     * Waits for the e-mail of an address. Polls at once, after 0.25 s, and then with exponential backoff up to each 2 s, with
     * jitter. It goes on after a broken connection, a time-out or an error 5xx, until the time is up.
     *
     * @param timeout from now, at most a day. A slow service may exceed it by 2 s and the reading of the e-mail. With zero there is
     *     one poll
     * @throws AwaitTimeoutException if no e-mail has arrived by then; the message has the state of the address. The cause is the
     *     failure of the last poll, if it failed
     * @throws AddressExpiredException if the time of the address is up before
     * @throws NotFoundException if the account has no such address, or it is deleted in the meantime
     * @throws IllegalArgumentException if it is an address that sends
     * @throws InterruptedException if the thread is interrupted
     */
    public Email awaitEmail(String id, Duration timeout) throws InterruptedException {
        return new EmailWait(transport, pacing, id(id), timeout).run();
    }

    /** The account of the API key: plan, usage and credits. */
    public Account getAccount() {
        return Json.of(transport.send(Transport.Call.of("GET", "/account"))).account();
    }

    /**
     * Buys credits, once also if the request is repeated.
     *
     * @param credits 1 to 1,000,000
     */
    public CreditsAdded buyCredits(int credits) {
        String body = JsonText.write(Map.of("credits", credits));
        Json added = Json.of(transport.send(Transport.Call.post("/account/credits", body, randomKey())));
        return new CreditsAdded(added.number("credits_added"), added.number("credits"), added.string("reference"));
    }

    /**
     * Replaces the API key by a new one, which this client uses from then on. Keep it: it is not shown again, and the old one
     * is invalid within a second. If the response is lost, the request is repeated with the same idempotency key, which gets the same
     * new key for ten minutes, also by a further call of this method.
     */
    public synchronized String replaceApiKey() {
        String key = Json.of(transport.send(Transport.Call.post("/account/api-key", "{}", replacement)))
                .string("api_key");
        transport.useKey(key);
        replacement = randomKey();
        return key;
    }

    private static String randomKey() {
        return UUID.randomUUID().toString();
    }

    private static String path(String id) {
        return "/addresses/" + id(id);
    }

    private static String id(String idOrAddress) {
        Matcher matcher = ID.matcher(idOrAddress);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not the id of an address: " + idOrAddress);
        }
        return matcher.group(1);
    }

    /** Settings of a client, with their defaults. */
    public static final class Builder {

        private static final Pattern KEY = Pattern.compile("[!-~]+");
        private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

        private @Nullable String baseUrl = System.getenv("ONESHOT_BASE_URL");
        private @Nullable String apiKey = System.getenv("ONESHOT_API_KEY");
        private @Nullable HttpClient http;
        private Duration requestTimeout = Duration.ofSeconds(30);
        private int responseBytesMax = 64 * 1024 * 1024;

        private Builder() {}

        /** The URL up to the version, as in {@code https://mail.example.com/v1}; by default the variable ONESHOT_BASE_URL. */
        public Builder baseUrl(String url) {
            baseUrl = checked(url);
            return this;
        }

        private static String checked(String url) {
            if (!url.matches("https?://[^\\s?#]+")) {
                throw new IllegalArgumentException(
                        "the base URL must be as in https://mail.example.com/v1, not " + url);
            }
            return url;
        }

        /** The API key of the account, visible ASCII; by default the environment variable ONESHOT_API_KEY. */
        public Builder apiKey(String key) {
            apiKey = key;
            return this;
        }

        /**
         * The HTTP client, for a proxy or a TLS context of your own. By default a client of HTTP/1.1 that connects within
         * 10 s. With HTTP/2 the server bounds the requests at once.
         *
         * @throws IllegalArgumentException if it follows redirects, as some JDKs pass the API key on to another host
         */
        public Builder httpClient(HttpClient client) {
            if (client.followRedirects() != HttpClient.Redirect.NEVER) {
                throw new IllegalArgumentException("the HTTP client must not follow redirects");
            }
            http = client;
            return this;
        }

        /** How long one attempt may take, and a read of a stream may wait; by default 30 s, at most a day. */
        public Builder requestTimeout(Duration timeout) {
            if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException(
                        "the request time-out must be positive and at most a day, not " + timeout);
            }
            requestTimeout = timeout;
            return this;
        }

        /** The largest JSON response in bytes, which is read into memory; by default 64 MiB. Streams have no bound. */
        public Builder responseBytesMax(int bytes) {
            responseBytesMax = bytes;
            return this;
        }

        /**
         * The client.
         *
         * @throws IllegalStateException if there is no base URL or no API key
         * @throws IllegalArgumentException if the base URL is none, or the API key has other characters than visible ASCII
         */
        public OneshotClient build() {
            if (baseUrl == null || apiKey == null || apiKey.isBlank()) {
                throw new IllegalStateException("there is no " + (baseUrl == null ? "base URL" : "API key")
                        + ": give it to the builder, or set "
                        + (baseUrl == null ? "ONESHOT_BASE_URL" : "ONESHOT_API_KEY"));
            }
            if (!KEY.matcher(apiKey).matches()) {
                // The JDK would show the key in its error.
                throw new IllegalArgumentException("the API key has other characters than visible ASCII");
            }
            HttpClient client = http != null
                    ? http
                    : HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .connectTimeout(CONNECT_TIMEOUT)
                            .build();
            return new OneshotClient(this, checked(baseUrl).replaceAll("/+$", ""), apiKey, client);
        }
    }
}
