package dev.oneshot.junit;

import static dev.oneshot.junit.AddressService.ADDRESSES;
import static dev.oneshot.junit.AddressService.extension;
import static dev.oneshot.junit.AddressService.run;
import static org.assertj.core.api.Assertions.allOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.suppressed;

import dev.oneshot.client.Address;
import dev.oneshot.junit.AddressService.WithExtension;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.assertj.core.api.Condition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a failed test prints, and which addresses it keeps. */
@NullMarked
@ExtendWith(AddressService.class)
class AfterFailureTest {

    private static final PrintStream STANDARD_ERROR = System.err;

    @Test
    void aFailedTestPrintsTheSummaryOfItsEmail() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            run(Failing.class, 0, 1);
        } finally {
            System.setErr(STANDARD_ERROR);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "oneshot: id1@in.example.org (Failing.fails) has an e-mail from ada@example.org with the"
                                + " subject \"Hello  [31m\", received at 2036-01-31T12:00:05Z, 321 bytes, 2 attachments",
                        "    Dear Ada",
                        "     [2J" + "x".repeat(3986) + " [14 more characters]");
        assertThat(ADDRESSES).isEmpty();
    }

    @Test
    void aFailedTestKeepsItsEmailIfItShall() {
        run(Keeping.class, 1, 1);

        assertThat(ADDRESSES.values()).containsExactly("Keeping.fails");
    }

    @Test
    void theAddressesOfAFailedTestAreDeletedEvenIfTheirEmailCannotBePrinted() {
        assertFails(
                Unreadable.class,
                allOf(message("no good"), suppressed(0, message(text -> text.startsWith("UNKNOWN (403)")))));

        assertThat(ADDRESSES).isEmpty();
    }

    @Test
    void aWaitForNoneFailsIfThereIsAnEmail() {
        assertFails(
                ExpectingNone.class,
                message("there is an e-mail from ada@example.org with the subject"
                        + " Hello  [31m where none was expected"));
    }

    @Test
    void aMissingCodeIsReportedWithoutControlCharacters() {
        assertFails(
                WithoutCode.class,
                message("there is no code in the e-mail from ada@example.org with the subject Hello  [31m"));
    }

    private static void assertFails(Class<?> tests, Condition<Throwable> failure) {
        run(tests).testEvents().assertThatEvents().haveExactly(1, finishedWithFailure(failure));
    }

    @Test
    void theAddressOfAClassIsKeptIfATestFailed() {
        run(KeepingOfTheClass.class, 1, 1);

        assertThat(ADDRESSES.values()).containsExactly("KeepingOfTheClass");
    }

    static class Failing extends WithExtension {

        @Test
        void fails(@Inbox Address address) {
            throw new AssertionError("no good: " + address.id());
        }
    }

    static class Keeping {

        @RegisterExtension
        final OneshotExtension oneshot = extension().keepOnFailure();

        @Test
        void fails(@Inbox Address address) {
            throw new AssertionError("no good: " + address.id());
        }

        @Test
        void passes(@Inbox Address address) {
            assertThat(address.label()).isEqualTo("Keeping.passes");
        }
    }

    static class Unreadable extends WithExtension {

        @Test
        void fails(@Inbox("first") Address first, @Inbox("second") Address second) {
            assertThat(first).isNotEqualTo(second);
            throw new AssertionError("no good");
        }
    }

    static class ExpectingNone extends WithExtension {

        @Test
        void waits(@Inbox Mailbox inbox) throws InterruptedException {
            inbox.awaitNone(Duration.ofSeconds(5));
        }
    }

    static class WithoutCode extends WithExtension {

        @Test
        void waits(@Inbox Mailbox inbox) throws InterruptedException {
            inbox.awaitCode();
        }
    }

    static class KeepingOfTheClass {

        @RegisterExtension
        static final OneshotExtension ONESHOT = extension().keepOnFailure();

        @BeforeAll
        static void prepare(@Inbox Address address) {
            assertThat(address).isNotNull();
        }

        @Test
        void fails() {
            throw new AssertionError("no good");
        }

        @Test
        void passes() {
            assertThat(ADDRESSES).hasSize(1);
        }
    }
}
