package dev.oneshot.mailer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.oneshot.testing.ClassCycles;
import io.smallrye.config.ConfigMapping;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses SERVICE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.oneshot.mailer");

    @Test
    void theServiceHasNoDatabaseAndKnowsNoOtherService() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "dev.oneshot.api..", "dev.oneshot.ingest..", "dev.oneshot.expiry..")
                .check(SERVICE);
    }

    @Test
    void classesHaveNoCycles() {
        ClassCycles.none().check(SERVICE);
    }

    @Test
    void nothingIsInjectedIntoFields() {
        fields().should()
                .notBeAnnotatedWith(Inject.class)
                .allowEmptyShould(true)
                .check(SERVICE);
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
