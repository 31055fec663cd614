package dev.oneshot.junit;

import static dev.oneshot.junit.AddressService.ADDRESSES;
import static dev.oneshot.junit.AddressService.REQUESTS;
import static dev.oneshot.junit.AddressService.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.client.Address;
import dev.oneshot.junit.AddressService.WithExtension;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** To which tests an address belongs: by the constructor, a field, the class, or nested classes. */
@NullMarked
@ExtendWith(AddressService.class)
class InboxScopeTest {

    @Test
    void constructorAndFieldsHaveTheAddressOfTheTest() {
        run(OfTheInstance.class, 2, 0);

        assertThat(REQUESTS)
                .containsExactly(
                        "POST OfTheInstance",
                        "POST OfTheInstance",
                        "DELETE",
                        "DELETE",
                        "POST OfTheInstance",
                        "POST OfTheInstance",
                        "DELETE",
                        "DELETE");
    }

    @Test
    void anAddressOfTheClassIsDeletedAfterItsLastTest() {
        run(OfTheClass.class, 2, 0);

        assertThat(REQUESTS)
                .containsExactly(
                        "POST OfTheClass",
                        "POST OfTheClass.first",
                        "DELETE",
                        "POST OfTheClass.second",
                        "DELETE",
                        "DELETE");
    }

    @Test
    void testsThatShareAnInstanceShareItsAddresses() {
        run(OfOneInstance.class, 2, 0);

        assertThat(REQUESTS).containsExactly("POST OfOneInstance", "DELETE");
    }

    @Test
    void nestedTestsAreLabelledWithTheirClasses() {
        run(Outer.class, 2, 0);

        assertThat(REQUESTS)
                .containsExactly(
                        "POST Outer.Inner",
                        "POST Outer",
                        "POST Outer.Inner.runs",
                        "DELETE",
                        "DELETE",
                        "POST Outer",
                        "POST Outer.Inner.Innermost",
                        "POST Outer.Inner.Innermost.runs",
                        "DELETE",
                        "DELETE",
                        "DELETE",
                        "DELETE");
        assertThat(ADDRESSES).isEmpty();
    }

    @Test
    void theAddressesOfAConstructorThatFailsAreDeleted() {
        run(FailingInConstructor.class, 0, 2);

        assertThat(REQUESTS)
                .containsExactly("POST FailingInConstructor", "DELETE", "POST FailingInConstructor", "DELETE");
    }

    static class OfTheInstance extends WithExtension {

        private final Address constructed;

        @Inbox
        private @Nullable Address field;

        @Inbox("other")
        private @Nullable Mailbox other;

        OfTheInstance(@Inbox Address address) {
            this.constructed = address;
        }

        @RepeatedTest(2)
        void isThatOfTheTest(@Inbox Address address, @Inbox("other") Mailbox otherOfTheTest) {
            assertThat(address).isSameAs(constructed).isSameAs(field);
            assertThat(otherOfTheTest).isSameAs(other);
            assertThat(otherOfTheTest.address()).isNotEqualTo(address);
        }
    }

    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class OfTheClass extends WithExtension {

        @Inbox
        private static @Nullable Address field;

        private static @Nullable Address prepared;

        @BeforeAll
        static void prepare(@Inbox Address address) {
            prepared = address;
        }

        @Test
        void first(@Inbox Address own) {
            assertThat(prepared).isSameAs(field);
            assertThat(own).isNotEqualTo(prepared);
        }

        @Test
        void second(@Inbox Address own) {
            assertThat(own).isNotEqualTo(prepared);
            assertThat(ADDRESSES).hasSize(2);
        }

        @AfterAll
        static void after(@Inbox Address address) {
            assertThat(address).isSameAs(prepared);
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OfOneInstance extends WithExtension {

        private final Address constructed;

        @Inbox
        private @Nullable Address field;

        OfOneInstance(@Inbox Address address) {
            this.constructed = address;
        }

        @BeforeAll
        void prepare(@Inbox Address address) {
            assertThat(address).isSameAs(constructed);
        }

        @RepeatedTest(2)
        void isShared() {
            assertThat(field).isSameAs(constructed);
        }
    }

    static class Outer extends WithExtension {

        @Inbox
        private @Nullable Address outer;

        @Nested
        class Inner {

            @BeforeAll
            static void prepare(@Inbox Address address) {
                assertThat(address).isNotNull();
            }

            @Test
            void runs(@Inbox("own") Address own) {
                assertThat(own).isNotEqualTo(outer);
            }

            @Nested
            class Innermost {

                private final Address constructed;

                Innermost(@Inbox("inner") Address address) {
                    this.constructed = address;
                }

                @Test
                void runs(@Inbox Address same, @Inbox("inner") Address inner, @Inbox("own") Address own) {
                    assertThat(same).isSameAs(outer);
                    assertThat(inner).isSameAs(constructed);
                    assertThat(own).isNotIn(same, inner);
                }
            }
        }
    }

    static class FailingInConstructor extends WithExtension {

        FailingInConstructor(@Inbox Address address) {
            throw new IllegalStateException("no good: " + address.id());
        }

        @RepeatedTest(2)
        void neverRuns() {
            throw new AssertionError();
        }
    }
}
