package dev.oneshot.mailer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.oneshot.testing.ServiceRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses SERVICE = ServiceRules.classes("dev.oneshot.mailer");

    @Test
    void theServiceHasNoDatabaseAndKnowsNoOtherService() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "dev.oneshot.api..", "dev.oneshot.ingest..", "dev.oneshot.expiry..")
                .check(SERVICE);
    }

    @Test
    void rulesOfEveryServiceHold() {
        ServiceRules.check(SERVICE);
        ServiceRules.checkSettings(SERVICE, SettingsCheck.MAPPINGS);
    }
}
