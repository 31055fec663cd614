package dev.oneshot.testing;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** Cycles of classes: to understand one class of a cycle, a reader needs all of them. */
public final class ClassCycles {

    private ClassCycles() {}

    /** The rule that there are none. A nested class belongs to the class around it. */
    public static ArchRule none() {
        return SlicesRuleDefinition.slices()
                .assignedFrom(new TopLevelClass())
                .should()
                .beFreeOfCycles();
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
