package dev.oneshot.api.operator;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of the list of accounts. */
@RegisterForReflection
record OperatorAccountPage(
        List<OperatorAccountView> items, @Nullable String nextCursor) {}
