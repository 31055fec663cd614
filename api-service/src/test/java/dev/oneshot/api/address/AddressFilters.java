package dev.oneshot.api.address;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every combination of filters in the contract. */
final class AddressFilters {

    private AddressFilters() {}

    /** All combinations, with this label where one is needed. */
    static Stream<AddressFilter> withLabel(String label) {
        List<AddressFilter> filters = new ArrayList<>();
        for (Status status : orNull(Status.values())) {
            for (Mode mode : orNull(Mode.values())) {
                filters.add(new AddressFilter(status, null, mode));
                filters.add(new AddressFilter(status, new Label(label), mode));
            }
        }
        return filters.stream();
    }

    private static <T> List<@Nullable T> orNull(T[] values) {
        List<@Nullable T> all = new ArrayList<>(Arrays.asList(values));
        all.add(null);
        return all;
    }
}
