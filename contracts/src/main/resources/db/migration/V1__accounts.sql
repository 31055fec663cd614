-- Accounts: their keys, quota and credits, kept responses, and rates. Only api-service runs migrations.

CREATE TABLE account (
    id              uuid        PRIMARY KEY,
    name            text        NOT NULL,
    plan            text        NOT NULL,
    -- SHA-256 of the API key. The key itself is stored nowhere.
    api_key_sha256  bytea       NOT NULL UNIQUE,
    -- Also the anchor of the monthly billing cycle.
    created_at      timestamptz NOT NULL,
    -- The billing cycle (0 is the first) that `used` counts. A create in a later cycle starts again at 1, in the same
    -- statement: there is no job that could be missed.
    cycle           integer     NOT NULL DEFAULT 0 CHECK (cycle >= 0),
    used            integer     NOT NULL DEFAULT 0 CHECK (used >= 0),
    credits_bought  bigint      NOT NULL DEFAULT 0 CHECK (credits_bought >= 0),
    credits_spent   bigint      NOT NULL DEFAULT 0 CHECK (credits_spent BETWEEN 0 AND credits_bought),
    -- A deleted account is marked first: from then on nothing of it can be created or read. Its rows are deleted in batches.
    deleted_at      timestamptz,
    -- Where the service writes to the account. Null: it writes nothing.
    contact_email   text        CHECK (length(contact_email) BETWEEN 3 AND 254),
    -- The last key that was replaced by a request with an Idempotency-Key. Until replaced_until it opens the repetition of that
    -- request. The new key is not here: it is derived from the old one, which only the client has.
    replaced_key_sha256     bytea UNIQUE,
    replaced_by_key         text  COLLATE "C",
    replaced_request_sha256 bytea,
    replaced_until          timestamptz
);

CREATE INDEX account_by_creation ON account (created_at DESC, id DESC);
CREATE INDEX account_to_remove ON account (deleted_at) WHERE deleted_at IS NOT NULL;

-- Credits that were given. account.credits_bought is always the sum of an account's entries: the statement that adds an entry
-- also adds to it. There is no foreign key, as the entries outlive the account: they are the books.
CREATE TABLE credit_entry (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid        NOT NULL,
    credits    integer     NOT NULL CHECK (credits BETWEEN 1 AND 1000000),
    origin     text        NOT NULL CHECK (origin IN ('purchase', 'operator')),
    -- The purchase's reference, or what the operator wrote.
    reference  text        NOT NULL CHECK (length(reference) BETWEEN 1 AND 255),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX credit_entry_by_account ON credit_entry (account_id, id);

CREATE FUNCTION refuse_to_change_the_ledger() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger of credits only grows: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER credit_entry_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_ledger();

-- Purchases that are not invoiced yet, written by the default payment gateway.
CREATE TABLE invoice_item (
    reference  text        PRIMARY KEY,
    account_id uuid        NOT NULL,
    credits    integer     NOT NULL CHECK (credits > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Written by the operator's invoicing.
    invoiced_at timestamptz
);

CREATE INDEX invoice_item_to_invoice ON invoice_item (created_at) WHERE invoiced_at IS NULL;

-- Responses to requests with an Idempotency-Key. A row is written in the transaction of the effect that it stands for.
CREATE TABLE kept_response (
    account_id     uuid        NOT NULL,
    key            text        COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    request_sha256 bytea       NOT NULL CHECK (length(request_sha256) = 32),
    body           text        NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    expires_at     timestamptz NOT NULL,
    PRIMARY KEY (account_id, key)
);

CREATE INDEX kept_response_to_expire ON kept_response (expires_at);

-- Token buckets. Unlogged: after a crash every bucket is full again, and nothing else is lost.
CREATE UNLOGGED TABLE rate_bucket (
    account_id    uuid    PRIMARY KEY,
    -- The microsecond since 1970 at which the bucket would have been empty if it had only filled since: its level
    -- is (now - empty_at) x rate.
    empty_at      bigint  NOT NULL,
    -- Tokens that replicas hold and may not have spent: of this generation of leases and of the one before. Leases of
    -- earlier generations have run out.
    generation    bigint  NOT NULL,
    leased        integer NOT NULL,
    leased_before integer NOT NULL
) WITH (fillfactor = 50);

-- Takes tokens out of an account's bucket, for a replica that will spend `wanted` of them at once and would like to
-- hold up to `spare` more for the next requests. Before, it takes back what is left of the replica's last lease.
--
-- The level and what is leased never exceed the burst together, so that in any span of time no more requests can be
-- admitted than burst + rate x span, by any number of replicas. No more than half of the burst is ever leased, so that
-- replicas which hold leases cannot starve the others.
--
--   ended_*       the last lease: its generation, its size, and how much of it was not spent
--   lease_seconds how long a lease is good for, and the length of a generation; the same on every replica
--   granted       of wanted
--   lease         of spare; none if not all of wanted was granted
--   level         what is left in the bucket
--   wait_micros   until the next token, if not all of wanted was granted
CREATE FUNCTION take_tokens(
    account uuid, per_second integer, burst integer, wanted integer, spare integer,
    ended_generation bigint, ended_lease integer, ended_unspent integer, lease_seconds integer,
    OUT granted integer, OUT lease integer, OUT lease_generation bigint, OUT level integer, OUT wait_micros bigint)
    LANGUAGE plpgsql AS $$
DECLARE
    second   CONSTANT bigint := 1000000;
    bucket   rate_bucket;
    moment   bigint;
    given    integer := 0;
    capacity bigint;
    present  bigint;
BEGIN
    SELECT * INTO bucket FROM rate_bucket WHERE account_id = account FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO rate_bucket VALUES (account, 0, 0, 0, 0) ON CONFLICT DO NOTHING;
        SELECT * INTO bucket FROM rate_bucket WHERE account_id = account FOR UPDATE;
    END IF;
    -- After the lock, as time passes while waiting for it.
    moment := (extract(epoch FROM clock_timestamp()) * second)::bigint;
    lease_generation := greatest(moment / (lease_seconds * second), bucket.generation);
    IF lease_generation > bucket.generation THEN
        bucket.leased_before :=
            CASE WHEN lease_generation = bucket.generation + 1 THEN bucket.leased ELSE 0 END;
        bucket.leased := 0;
    END IF;
    IF ended_generation = lease_generation THEN
        bucket.leased := greatest(bucket.leased - ended_lease, 0);
        given := ended_unspent;
    ELSIF ended_generation = lease_generation - 1 THEN
        bucket.leased_before := greatest(bucket.leased_before - ended_lease, 0);
        given := ended_unspent;
    END IF;
    -- At least 1, as after a change to a smaller plan more may be leased than the new burst.
    capacity := greatest(burst - bucket.leased - bucket.leased_before, 1);
    -- Divisions round against the client, by a microsecond. A clock that was set back must not leave a debt.
    bucket.empty_at := least(bucket.empty_at, moment) - given * second / per_second;
    bucket.empty_at := greatest(bucket.empty_at, moment - (capacity * second + per_second - 1) / per_second);
    present := least(capacity, (moment - bucket.empty_at) * per_second / second);
    granted := least(wanted, present);
    lease := CASE
        WHEN granted < wanted THEN 0
        ELSE greatest(0, least(spare, present - granted, burst / 2 - bucket.leased - bucket.leased_before))
    END;
    level := present - granted - lease;
    bucket.empty_at := bucket.empty_at + ((granted + lease) * second + per_second - 1) / per_second;
    wait_micros := CASE
        WHEN granted < wanted THEN greatest(0, bucket.empty_at + (second + per_second - 1) / per_second - moment)
        ELSE 0
    END;
    UPDATE rate_bucket
    SET empty_at = bucket.empty_at, generation = lease_generation,
        leased = bucket.leased + lease, leased_before = bucket.leased_before
    WHERE account_id = account;
END
$$;
