package dev.oneshot.ingest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.oneshot.ingest.recipient.AddressKeyConfig;
import dev.oneshot.testing.ClassCycles;
import io.smallrye.config.ConfigMapping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The boundaries of the service. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.oneshot.ingest");

    /** The protocol and the verdicts. */
    @ParameterizedTest
    @ValueSource(strings = {"dev.oneshot.ingest.smtp..", "dev.oneshot.ingest.authentication.*"})
    void protocolsKnowTheJdkOnlyAndDoNoInputOrOutputAndStartNoThreads(String packages) {
        classes()
                .that()
                .resideInAPackage(packages)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(packages, "java..", "org.jspecify.annotations")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(packages)
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.(nio\\.(channels|file)\\..*|util\\.concurrent\\..*|net\\..*Socket.*"
                        + "|lang\\.Thread|io\\.File.*|time\\.Clock)")
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.oneshot.ingest.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void classesHaveNoCycles() {
        ClassCycles.none().check(CLASSES);
    }

    @Test
    void onlyNetKnowsTheSocket() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.oneshot.ingest.net")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..", "io.netty..")
                .check(CLASSES);
    }

    @Test
    void nothingInjectsIntoFields() {
        noFields().should().beAnnotatedWith("jakarta.inject.Inject").check(CLASSES);
    }

    @Test
    void settingsOfAllFeaturesAreChecked() {
        assertThat(CLASSES.stream()
                        .filter(type -> type.isAnnotatedWith(ConfigMapping.class)
                                && !type.isEquivalentTo(AddressKeyConfig.class))
                        .map(JavaClass::getName))
                .containsExactlyInAnyOrderElementsOf(
                        SettingsCheck.MAPPINGS.stream().map(Class::getName).toList());
    }
}
