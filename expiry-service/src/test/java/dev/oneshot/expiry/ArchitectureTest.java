package dev.oneshot.expiry;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.oneshot.testing.ServiceRules;
import io.quarkus.scheduler.Scheduled;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses SERVICE = ServiceRules.classes("dev.oneshot.expiry");

    /** Replicas use no clock of their own, so skew between them does not matter. */
    @Test
    void onlyTheClockOfTheDatabaseDecides() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Clock.class, Instant.class, InstantSource.class, Date.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(SERVICE);
    }

    @Test
    void sweepsAndPartitionsDoNotKnowEachOther() {
        slices().matching("dev.oneshot.expiry.(*)..")
                .should()
                .notDependOnEachOther()
                .check(SERVICE);
    }

    @Test
    void noJobRunsBeforeTheMigration() {
        methods()
                .that()
                .areAnnotatedWith(Scheduled.class)
                .should(new ArchCondition<>("wait for the migration") {
                    @Override
                    public void check(JavaMethod job, ConditionEvents events) {
                        boolean waits =
                                job.getAnnotationOfType(Scheduled.class).skipExecutionIf() == BeforeMigration.class;
                        events.add(new SimpleConditionEvent(job, waits, job.getFullName()));
                    }
                })
                .check(SERVICE);
    }

    @Test
    void rulesOfEveryServiceHold() {
        ServiceRules.check(SERVICE);
        ServiceRules.checkSettings(SERVICE, SettingsCheck.MAPPINGS);
    }
}
