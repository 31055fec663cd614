package dev.oneshot.junit;

import static dev.oneshot.junit.AddressService.ADDRESSES;
import static dev.oneshot.junit.AddressService.REQUESTS;
import static dev.oneshot.junit.AddressService.extension;
import static dev.oneshot.junit.AddressService.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.client.Address;
import dev.oneshot.junit.AddressService.WithExtension;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The extension with the oldest JUnit that it is for: an address for each test. */
@NullMarked
@ExtendWith(AddressService.class)
class OneshotExtensionTest {

    @Test
    void eachTestHasAFreshAddressThatIsDeletedAfterIt() {
        run(Passing.class, 3, 0);

        assertThat(REQUESTS)
                .containsExactly(
                        "POST Passing.aNamedOne",
                        "POST Passing.aNamedOne",
                        "DELETE",
                        "DELETE",
                        "POST Passing.repeated repetition 1 of 2",
                        "DELETE",
                        "POST Passing.repeated repetition 2 of 2",
                        "DELETE");
        assertThat(ADDRESSES).isEmpty();
    }

    @Test
    void anAddressThatTheTestDeletedIsNotMissed() {
        run(Deleting.class, 1, 0);
    }

    @Test
    void anAddressThatHasExpiredIsNotMissed() {
        run(Expiring.class, 1, 0);
    }

    @Test
    void aLabelHasAtMost255CharactersAndNoControlCharacters() {
        run(LongName.class, 1, 0);

        String label = REQUESTS.get(0).substring("POST ".length());
        assertThat(label.codePointCount(0, label.length())).isEqualTo(255);
        assertThat(label).startsWith("LongName.named a b \uD83D\uDCE7").endsWith("\uD83D\uDCE7");
    }

    static class Passing {

        @RegisterExtension
        final OneshotExtension oneshot = extension();

        private String prepared = "";

        @BeforeEach
        void prepare(@Inbox Address address) {
            prepared = address.id();
        }

        @Test
        void aNamedOne(@Inbox Mailbox inbox, @Inbox Address same, @Inbox("other") Mailbox other) {
            assertThat(inbox.address()).isSameAs(same);
            assertThat(prepared).isEqualTo(same.id());
            assertThat(other.address().id()).isNotEqualTo(same.id());
        }

        @RepeatedTest(2)
        void repeated(@Inbox Address address) {
            assertThat(prepared).isEqualTo(address.id());
        }
    }

    static class Deleting extends WithExtension {

        @Test
        void deletes(@Inbox Address address) {
            ONESHOT.client().deleteAddress(address.id());
        }
    }

    static class Expiring extends WithExtension {

        @Test
        void takesLong(@Inbox Address address) {
            assertThat(address.label()).isEqualTo("Expiring.takesLong");
        }
    }

    static class LongName extends WithExtension {

        private static final String TEN =
                "\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7\uD83D\uDCE7";
        private static final String HUNDRED = TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN;
        private static final String NAME = "a\tb " + HUNDRED + HUNDRED + HUNDRED;

        @Test
        @DisplayName(NAME)
        void named(@Inbox Address address) {
            assertThat(address.label()).contains("a b");
        }
    }
}
