package dev.oneshot.authentication;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The boundaries of the module. */
class ArchitectureTest {

    private static final String MODULE = "dev.oneshot.authentication";
    private static final String[] ROOMS = {
        MODULE + ".dns", MODULE + ".spf", MODULE + ".dkim", MODULE + ".dmarc", MODULE + ".results"
    };
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(MODULE);

    @Test
    void checksKnowTheJdkAndMessagesOnlyAndDoNoInputOrOutputAndStartNoThreads() {
        classes()
                .that()
                .resideInAnyPackage(ROOMS)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(ROOMS, "dev.oneshot.message", "java..", "org.jspecify.annotations"))
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage(ROOMS)
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.(nio\\.(channels|file)\\..*|util\\.concurrent\\..*|net\\..*Socket.*"
                        + "|lang\\.Thread|io\\.File.*|time\\.Clock)")
                .check(CLASSES);
    }

    @Test
    void onlyTheResolverKnowsTheLibraries() {
        classes()
                .that()
                .resideOutsideOfPackage(MODULE + ".resolver")
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackage("com.github..")
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(MODULE + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    private static String[] concat(String[] rooms, String... others) {
        return java.util.stream.Stream.of(rooms, others)
                .flatMap(java.util.stream.Stream::of)
                .toArray(String[]::new);
    }
}
