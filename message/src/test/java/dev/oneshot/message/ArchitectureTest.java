package dev.oneshot.message;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void readingMailNeedsNothingButTheJdk() {
        JavaClasses module = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.oneshot.message");
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.oneshot.message", "java..", "org.jspecify.annotations")
                .check(module);
    }
}
