package dev.oneshot.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.smallrye.config.ConfigMapping;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules of architecture that every service keeps. */
public final class ServiceRules {

    private static final String SHARED = "dev.oneshot.contracts.";

    private ServiceRules() {}

    /** The classes of a package and those below it, without tests. */
    public static JavaClasses classes(String ourPackage) {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ourPackage);
    }

    /**
     * Fails if classes form a cycle, or a field is injected. To understand one class of a cycle, a reader needs all of them. A
     * nested class belongs to the class around it.
     */
    public static void check(JavaClasses service) {
        SlicesRuleDefinition.slices()
                .assignedFrom(new TopLevelClass())
                .should()
                .beFreeOfCycles()
                .check(service);
        fields().should()
                .notBeAnnotatedWith("jakarta.inject.Inject")
                .allowEmptyShould(true)
                .check(service);
    }

    /** Fails unless a service's SettingsCheck has exactly its types of settings, apart from those that services share. */
    public static void checkSettings(JavaClasses service, Collection<Class<?>> checked) {
        Set<String> mappings = service.stream()
                .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
        Set<String> names = checked.stream()
                .map(Class::getName)
                .filter(name -> !name.startsWith(SHARED))
                .collect(Collectors.toSet());
        if (!names.equals(mappings)) {
            throw new AssertionError("SettingsCheck checks " + names + ", but the service has " + mappings);
        }
    }

    private static final class TopLevelClass implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(topLevel(type).getName());
        }

        private static JavaClass topLevel(JavaClass type) {
            return type.getEnclosingClass().map(TopLevelClass::topLevel).orElse(type);
        }

        @Override
        public String getDescription() {
            return "top-level classes";
        }
    }
}
