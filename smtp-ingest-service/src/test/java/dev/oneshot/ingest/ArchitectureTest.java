package dev.oneshot.ingest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The boundaries of the service. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.oneshot.ingest");

    @Test
    void protocolKnowsTheJdkOnly() {
        classes()
                .that()
                .resideInAPackage("dev.oneshot.ingest.smtp..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.oneshot.ingest.smtp..", "java..", "org.jspecify.annotations")
                .check(CLASSES);
    }

    @Test
    void protocolDoesNoInputOrOutputAndStartsNoThreads() {
        noClasses()
                .that()
                .resideInAPackage("dev.oneshot.ingest.smtp..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.(nio\\.(channels|file)\\..*|util\\.concurrent\\..*|net\\..*Socket.*"
                        + "|lang\\.Thread|io\\.File.*|time\\.Clock)")
                .check(CLASSES);
    }

    @Test
    void verdictsAreFoundWithoutInputAndOutput() {
        classes()
                .that()
                .resideInAnyPackage(
                        "dev.oneshot.ingest.authentication.dns",
                        "dev.oneshot.ingest.authentication.spf",
                        "dev.oneshot.ingest.authentication.dkim",
                        "dev.oneshot.ingest.authentication.dmarc")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.oneshot.ingest.authentication.*", "java..", "org.jspecify.annotations")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.oneshot.ingest.authentication.*")
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
}
