package dev.oneshot.junit;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;

/** JUnit runs it for each {@link Inbox}. It says what is wrong if there is no {@link OneshotExtension}, or another type. */
final class InboxCheck implements ParameterResolver, TestInstancePostProcessor, BeforeEachCallback {

    private static final String MISSING = "@Inbox needs the extension: add @ExtendWith(OneshotExtension.class) to the"
            + " class, or the field @RegisterExtension static final OneshotExtension ONESHOT = new OneshotExtension()";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.isAnnotated(Inbox.class)
                && !(OneshotExtension.isRegistered(context)
                        && OneshotExtension.isSupported(parameter.getParameter().getType()));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        throw new ParameterResolutionException(
                OneshotExtension.isRegistered(context)
                        ? OneshotExtension.wrongType(parameter.getParameter().getType())
                        : MISSING);
    }

    @Override
    public void postProcessTestInstance(Object instance, ExtensionContext context) {
        checkFields(instance.getClass(), context);
    }

    /** Fields of an instance register this class when the instance is there, and an extension in one of them is too late for it. */
    @Override
    public void beforeEach(ExtensionContext context) {
        checkFields(context.getRequiredTestClass(), context.getParent().orElse(context));
    }

    private static void checkFields(Class<?> type, ExtensionContext context) {
        if (!OneshotExtension.isRegistered(context)
                && OneshotExtension.fields(type).findAny().isPresent()) {
            throw new ExtensionConfigurationException(MISSING);
        }
    }
}
