package dev.oneshot.api.operator;

import dev.oneshot.api.account.AccountStore;
import dev.oneshot.api.account.ApiKey;
import dev.oneshot.api.account.ApiKeys;
import dev.oneshot.api.account.Plan;
import dev.oneshot.api.account.Plans;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.operator.OperatorRoutes.Answer;
import dev.oneshot.api.paging.CursorCodec;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.PageSize;
import dev.oneshot.api.paging.Position;
import dev.oneshot.api.sending.Mailbox;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the operator does with accounts. */
@ApplicationScoped
class OperatorAccounts {

    private static final String LIST_SCOPE = "operator accounts";
    private static final int NAME_CHARACTERS_MAX = 255;

    private final AccountStore accounts;
    private final Plans plans;
    private final OperatorRequests requests;
    private final CursorCodec cursors;
    private final InstantSource clock;
    private final ApiKeys keys;

    OperatorAccounts(
            AccountStore accounts,
            Plans plans,
            OperatorRequests requests,
            CursorCodec cursors,
            InstantSource clock,
            ApiKeys keys) {
        this.accounts = accounts;
        this.plans = plans;
        this.requests = requests;
        this.cursors = cursors;
        this.clock = clock;
        this.keys = keys;
    }

    Answer create(RoutingContext request) {
        CreateAccount body = requests.body(request, CreateAccount.class);
        String name = checkedName(body.name());
        Plan plan = checkedPlan(body.plan());
        ApiKey key = keys.generate();
        String contactEmail = body.contactEmail() == null ? null : checkedContactEmail(body.contactEmail());
        AccountStore.Row created = accounts.create(name, plan, contactEmail, key.sha256());
        Audit.record(Audit.Action.CREATE, created.account().id(), "plan=" + plan.name());
        return new Answer(201, OperatorAccountView.of(created, plan, clock.instant(), key.reveal()));
    }

    Answer get(RoutingContext request) {
        AccountStore.Row row = accounts.find(OperatorRequests.id(request)).orElseThrow(OperatorRequests::noSuchAccount);
        return new Answer(200, view(row));
    }

    Answer list(RoutingContext request) {
        OperatorRequests.requireOnly(request, "limit", "cursor");
        PageSize size = PageSize.parse(OperatorRequests.parameter(request, "limit"));
        String cursor = OperatorRequests.parameter(request, "cursor");
        Position after = cursor == null ? null : cursors.decode(cursor, LIST_SCOPE);
        Page<AccountStore.Row> page = accounts.list(size, after);
        String next = page.next() == null ? null : cursors.encode(page.next(), LIST_SCOPE);
        return new Answer(
                200,
                new OperatorAccountPage(page.items().stream().map(this::view).toList(), next));
    }

    Answer change(RoutingContext request) {
        ChangeAccount body = requests.body(request, ChangeAccount.class);
        String name = body.name() == null ? null : checkedName(body.name());
        Plan plan = body.plan() == null ? null : checkedPlan(body.plan());
        String contactEmail = body.contactEmail() == null || body.contactEmail().isEmpty()
                ? body.contactEmail()
                : checkedContactEmail(body.contactEmail());
        if (name == null && plan == null && contactEmail == null) {
            return get(request);
        }
        UUID id = OperatorRequests.id(request);
        AccountStore.Row changed =
                accounts.change(id, name, plan, contactEmail).orElseThrow(OperatorRequests::noSuchAccount);
        // Name and mailbox are personal data: the line says only that they changed.
        Audit.record(
                Audit.Action.CHANGE,
                id,
                "plan=" + changed.account().plan() + " renamed=" + (name != null)
                        + (contactEmail == null ? "" : " contactChanged=true"));
        return new Answer(200, view(changed));
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

    private static String checkedContactEmail(String contactEmail) {
        if (!Mailbox.isValid(contactEmail)) {
            throw ApiException.invalid("contact_email must be an e-mail address");
        }
        return contactEmail;
    }

    private Plan checkedPlan(@Nullable String plan) {
        if (plan == null) {
            throw ApiException.invalid("plan must be given, one of " + plans.names());
        }
        return plans.find(plan).orElseThrow(() -> ApiException.invalid("plan must be one of " + plans.names()));
    }
}
