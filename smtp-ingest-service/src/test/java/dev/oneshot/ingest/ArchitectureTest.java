package dev.oneshot.ingest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.oneshot.ingest.recipient.AddressKeyConfig;
import dev.oneshot.testing.ServiceRules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The boundaries of the service. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = ServiceRules.classes("dev.oneshot.ingest");

    private static final String PROTOCOL = "dev.oneshot.ingest.smtp..";

    /** The room of forged results in the module authentication has the same rule. */
    @Test
    void protocolKnowsTheJdkOnlyAndDoesNoInputOrOutputAndStartsNoThreads() {
        classes()
                .that()
                .resideInAPackage(PROTOCOL)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        PROTOCOL, "dev.oneshot.authentication.results", "java..", "org.jspecify.annotations")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(PROTOCOL)
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
    void rulesOfEveryServiceHold() {
        List<Class<?>> settings = new ArrayList<>(SettingsCheck.MAPPINGS);
        settings.add(AddressKeyConfig.class);
        ServiceRules.check(CLASSES);
        ServiceRules.checkSettings(CLASSES, settings);
    }
}
