package dev.oneshot.api.operator;

import dev.oneshot.api.account.AccountStore;
import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.JsonContent;
import dev.oneshot.api.http.StrictJson;
import dev.oneshot.api.operator.OperatorRoutes.Answer;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.PageSize;
import dev.oneshot.api.paging.Position;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What the operator does with accounts. */
@ApplicationScoped
class OperatorAccounts {

    private static final Logger AUDIT = Logger.getLogger("dev.oneshot.audit");
    private static final String LIST_SCOPE = "operator accounts";
    private static final int NAME_CHARACTERS_MAX = 255;

    private final AccountStore accounts;
    private final Plans plans;
    private final StrictJson json;
    private final CursorCodec cursors;
    private final InstantSource clock;
    private final long bodyBytesMax;
    private final SecureRandom random = new SecureRandom();

    OperatorAccounts(
            AccountStore accounts,
            Plans plans,
            StrictJson json,
            CursorCodec cursors,
            InstantSource clock,
            OperatorConfig config) {
        this.accounts = accounts;
        this.plans = plans;
        this.json = json;
        this.cursors = cursors;
        this.clock = clock;
        this.bodyBytesMax = config.bodyBytesMax();
    }

    Answer create(RoutingContext request) {
        CreateAccount body = body(request, CreateAccount.class);
        String name = checkedName(body.name());
        Plan plan = checkedPlan(body.plan());
        ApiKey key = ApiKey.generate(random);
        AccountStore.Row created = accounts.create(name, plan, key.sha256());
        AUDIT.infof("account created accountId=%s plan=%s", created.account().id(), plan.name());
        return new Answer(201, OperatorAccountView.of(created, plan, clock.instant(), key.reveal()));
    }

    Answer get(RoutingContext request) {
        AccountStore.Row row = accounts.find(id(request)).orElseThrow(OperatorAccounts::noSuchAccount);
        return new Answer(200, view(row));
    }

    Answer list(RoutingContext request) {
        PageSize size = PageSize.parse(parameter(request, "limit"));
        String cursor = parameter(request, "cursor");
        Position after = cursor == null ? null : cursors.decode(cursor, LIST_SCOPE);
        Page<AccountStore.Row> page = accounts.list(size, after);
        String next = page.next() == null ? null : cursors.encode(page.next(), LIST_SCOPE);
        return new Answer(
                200,
                new OperatorAccountPage(page.items().stream().map(this::view).toList(), next));
    }

    private OperatorAccountView view(AccountStore.Row row) {
        Plan plan = plans.find(row.account().plan()).orElse(null);
        return OperatorAccountView.of(row, plan, clock.instant(), null);
    }

    private static String checkedName(@Nullable String name) {
        if (name == null) {
            throw ApiException.invalid("name must be given");
        }
        int characters = name.codePointCount(0, name.length());
        boolean sane = name.codePoints()
                .noneMatch(
                        c -> Character.getType(c) == Character.CONTROL || Character.getType(c) == Character.SURROGATE);
        if (name.isBlank() || characters > NAME_CHARACTERS_MAX || !sane) {
            throw ApiException.invalid("name must have between 1 and " + NAME_CHARACTERS_MAX
                    + " characters, not all blank, none of them a control character");
        }
        return name;
    }

    private Plan checkedPlan(@Nullable String plan) {
        if (plan == null) {
            throw ApiException.invalid("plan must be given, one of " + plans.names());
        }
        return plans.find(plan).orElseThrow(() -> ApiException.invalid("plan must be one of " + plans.names()));
    }

    private <T> T body(RoutingContext request, Class<T> type) {
        Buffer body = request.body().buffer();
        byte[] octets = body == null ? new byte[0] : body.getBytes();
        if (octets.length > bodyBytesMax) {
            throw new ApiException(new ApiError.PayloadTooLarge(bodyBytesMax));
        }
        if (octets.length > 0) {
            JsonContent.require(request.request().getHeader("Content-Type"));
        }
        try {
            return json.read(new ByteArrayInputStream(octets), type);
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory failed", e);
        }
    }

    private static @Nullable String parameter(RoutingContext request, String name) {
        return request.queryParams().get(name);
    }

    private static UUID id(RoutingContext request) {
        String id = request.pathParam("id");
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw noSuchAccount();
        }
    }

    private static ApiException noSuchAccount() {
        return ApiException.notFound("there is no such account");
    }
}
