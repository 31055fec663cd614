package dev.oneshot.expiry;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.oneshot.testing.ClassCycles;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.config.ConfigMapping;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses SERVICE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.oneshot.expiry");

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
    void classesHaveNoCycles() {
        ClassCycles.none().check(SERVICE);
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
    void nothingIsInjectedIntoFields() {
        fields().should().notBeAnnotatedWith(Inject.class).check(SERVICE);
    }

    @Test
    void settingsOfAllFeaturesAreChecked() {
        assertThat(SettingsCheck.MAPPINGS)
                .extracting(Class::getName)
                .containsExactlyInAnyOrderElementsOf(SERVICE.stream()
                        .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                        .map(JavaClass::getName)
                        .toList());
    }
}
