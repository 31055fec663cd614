package dev.oneshot.ingest.recipient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.event.AddressClosed.Reason;
import dev.oneshot.contracts.signing.SigningKey;
import dev.oneshot.ingest.recipient.ClosedAddressSet.State;
import dev.oneshot.testing.TestSettings;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ClosedAddressSetTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:30:00Z");
    private static final SizeClass SIZE = SizeClass.ofMessageBytesMax(64 * 1024);
    private static final AddressIdCodec CODEC = new AddressIdCodec(
            List.of(SigningKey.ofBase64("b25lc2hvdC10ZXN0LWFkZHJlc3Mta2V5LW5vLXNlY3JldA==")), new Random(7));

    @Test
    void laterReasonReplacesTheEarlier() {
        ClosedAddressSet closed = remembering(10);
        AddressId id = id(600);

        closed.add(id, Reason.RECEIVED);
        closed.add(id, Reason.DELETED);

        assertThat(closed.state(id)).isEqualTo(State.DELETED);
        assertThat(closed.size()).isEqualTo(1);
    }

    @Test
    void noMoreAreRememberedThanAllowed() {
        ClosedAddressSet closed = remembering(2);
        AddressId first = id(600);
        AddressId third = id(600);

        assertThat(closed.add(first, Reason.RECEIVED)).isTrue();
        assertThat(closed.add(id(7_200), Reason.RECEIVED)).isTrue();
        assertThat(closed.add(third, Reason.RECEIVED)).isFalse();
        assertThat(closed.add(first, Reason.DELETED)).isTrue();
        assertThat(closed.state(third)).isEqualTo(State.OPEN);
        assertThat(closed.size()).isEqualTo(2);
    }

    @Test
    void hourThatHasPassedIsForgotten() {
        ClosedAddressSet closed = remembering(10);
        AddressId soon = id(600);
        AddressId later = id(7_200);
        closed.add(soon, Reason.RECEIVED);
        closed.add(later, Reason.RECEIVED);

        closed.dropExpired(NOW.plusSeconds(1_799));
        assertThat(closed.size()).isEqualTo(2);

        closed.dropExpired(NOW.plusSeconds(1_800));
        assertThat(closed.size()).isEqualTo(1);
        assertThat(closed.state(soon)).isEqualTo(State.OPEN);
        assertThat(closed.state(later)).isEqualTo(State.RECEIVED);
    }

    @Property
    void tableKnowsExactlyWhatWasPut(@ForAll List<Long> fingerprints, @ForAll List<Long> others) {
        Fingerprints table = new Fingerprints();
        Map<Long, Boolean> model = new HashMap<>();
        for (int i = 0; i < fingerprints.size(); i++) {
            long key = fingerprints.get(i) | 1;
            boolean payload = i % 2 == 0;
            // Fingerprints.key stores 1 as 3; no look-up finds either by chance.
            model.put(key == 1 ? 3 : key, payload);
            table.put(fingerprints.get(i), payload);
        }

        assertThat(table.size()).isEqualTo(model.size());
        model.forEach((key, payload) -> assertThat(table.find(key)).isEqualTo(payload ? key : key & ~1L));
        for (long other : others) {
            long key = (other | 1) == 1 ? 3 : other | 1;
            assertThat(table.find(other) != 0).isEqualTo(model.containsKey(key));
        }
    }

    private static ClosedAddressSet remembering(int addressesMax) {
        return new ClosedAddressSet(TestSettings.of(RecipientConfig.class, "closed-addresses-max=" + addressesMax));
    }

    private static AddressId id(int secondsToLive) {
        return CODEC.issue(SIZE, NOW.plusSeconds(secondsToLive));
    }
}
