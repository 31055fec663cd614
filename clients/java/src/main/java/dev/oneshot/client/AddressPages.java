package dev.oneshot.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Walks through the list of addresses, page by page. */
final class AddressPages implements Iterator<Address> {

    private static final int PAGE_SIZE = 100;

    private final Transport transport;
    private final String filter;
    private Iterator<Address> page = List.<Address>of().iterator();
    private @Nullable String cursor;
    private boolean last;

    AddressPages(Transport transport, AddressFilter filter) {
        this.transport = transport;
        this.filter = parameter("status", filter.status())
                + parameter("mode", filter.mode())
                + (filter.label() == null ? "" : "&label=" + encoded(filter.label()));
    }

    private static String parameter(String name, @Nullable Enum<?> value) {
        return value == null ? "" : "&" + name + "=" + value.name().toLowerCase(Locale.ROOT);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    @Override
    public boolean hasNext() {
        while (!page.hasNext() && !last) {
            String next = cursor == null ? "" : "&cursor=" + encoded(cursor);
            Json read =
                    Json.of(transport.send(Transport.Call.of("GET", "/addresses?limit=" + PAGE_SIZE + filter + next)));
            page = read.list("items", Json::address).iterator();
            String following = read.optional("next_cursor");
            if (following != null && following.equals(cursor)) {
                throw new OneshotException("the list does not end: next_cursor is the cursor of the request", null);
            }
            cursor = following;
            last = cursor == null;
        }
        return page.hasNext();
    }

    @Override
    public Address next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.next();
    }
}
