package dev.oneshot.junit;

import static dev.oneshot.junit.AddressService.extension;
import static dev.oneshot.junit.AddressService.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.client.Address;
import dev.oneshot.junit.AddressService.WithExtension;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** What {@code @Inbox} says where it cannot work. */
@NullMarked
@ExtendWith(AddressService.class)
class InboxMisuseTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                WithoutExtension.class,
                WithoutExtensionInConstructor.class,
                WithoutExtensionBeforeAll.class,
                WithoutExtensionOfAField.class,
                WithExtensionThatIsTooLateForAField.class,
                WithoutExtensionOfAStaticField.class
            })
    void withoutTheExtensionTheMessageSaysSo(Class<?> tests) {
        assertThat(failures(run(tests)))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("@Inbox needs the extension: add @ExtendWith(OneshotExtension.class) to the class");
    }

    @ParameterizedTest
    @CsvSource({
        "dev.oneshot.junit.InboxMisuseTest$OfAnotherType, not for java.lang.String",
        "dev.oneshot.junit.InboxMisuseTest$OfAFieldOfAnotherType, not for java.lang.String",
        "dev.oneshot.junit.InboxMisuseTest$OfAFinalField, @Inbox field inbox must not be final"
    })
    void aWrongFieldOrParameterIsNamed(Class<?> tests, String expected) {
        assertThat(failures(run(tests)))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains(expected);
    }

    private static List<String> failures(EngineExecutionResults results) {
        return results.allEvents().finished().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .map(String::valueOf)
                .toList();
    }

    static class WithoutExtension {

        @Test
        void neverRuns(@Inbox Address address) {
            throw new AssertionError(address);
        }
    }

    static class WithoutExtensionInConstructor implements NeverRuns {

        WithoutExtensionInConstructor(@Inbox Address address) {
            throw new AssertionError(address);
        }
    }

    static class WithoutExtensionBeforeAll implements NeverRuns {

        @BeforeAll
        static void neverRuns(@Inbox Address address) {
            assertThat(address).isNull();
        }
    }

    static class WithoutExtensionOfAField implements NeverRuns {

        @Inbox
        protected @Nullable Address address;
    }

    static class WithExtensionThatIsTooLateForAField implements NeverRuns {

        @RegisterExtension
        final OneshotExtension oneshot = extension();

        @Inbox
        protected @Nullable Address address;
    }

    static class WithoutExtensionOfAStaticField implements NeverRuns {

        @Inbox
        protected static @Nullable Address address;
    }

    static class OfAnotherType extends WithExtension {

        @Test
        void neverRuns(@Inbox String address) {
            throw new AssertionError(address);
        }
    }

    static class OfAFieldOfAnotherType extends WithExtension implements NeverRuns {

        @Inbox
        protected @Nullable String address;
    }

    static class OfAFinalField extends WithExtension implements NeverRuns {

        @Inbox
        protected final @Nullable Mailbox inbox = null;
    }

    interface NeverRuns {

        @Test
        default void neverRuns() {
            throw new AssertionError();
        }
    }
}
