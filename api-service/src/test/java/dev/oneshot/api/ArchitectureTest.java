package dev.oneshot.api;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import dev.oneshot.testing.ServiceRules;
import jakarta.ws.rs.Path;
import java.sql.Connection;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = ServiceRules.classes("dev.oneshot.api");

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("dev.oneshot.api.(*)..").should().beFreeOfCycles());
    }

    @Test
    void errorDependsOnNothingOfOurs() {
        check(noClasses()
                .that()
                .resideInAPackage("..api.error..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("dev.oneshot.api..").and(resideOutsideOfPackage("..api.error.."))));
    }

    @Test
    void onlyStoresAccessTheDatabase() {
        check(noClasses()
                .that()
                .areAnnotatedWith(Path.class)
                .or()
                .resideInAnyPackage(
                        "..api.http..",
                        "..api.request..",
                        "..api.body..",
                        "..api.connection..",
                        "..api.error..",
                        "..api.paging..",
                        "..api.operator..",
                        "..api.kafka..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.sql..", "org.hibernate..", "jakarta.persistence..", "io.quarkus.hibernate.."));
        check(noClasses()
                .that()
                .resideInAPackage("..api.quota..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.sql.."));
    }

    @Test
    void connectionsAreNotHandedOn() {
        check(noMethods()
                .that()
                .areNotPrivate()
                .and()
                .areDeclaredInClassesThat()
                .resideOutsideOfPackages("..api.database..", "..api.migration..")
                .should()
                .haveRawParameterTypes(describe(
                        "with a connection",
                        types -> types.stream().anyMatch(type -> type.isEquivalentTo(Connection.class)))));
    }

    @Test
    void theTimeIsReadFromAnInjectedClock() {
        check(noClasses()
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis"));
    }

    @Test
    void nothingIsPrintedToTheConsole() {
        check(noClasses().should().accessField(System.class, "out").orShould().accessField(System.class, "err"));
    }

    @Test
    void rulesOfEveryServiceHold() {
        ServiceRules.check(CLASSES);
        ServiceRules.checkSettings(CLASSES, SettingsCheck.MAPPINGS);
    }
}
