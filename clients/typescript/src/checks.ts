import { OneshotError } from "./errors.js";
import type * as types from "./types.js";

/** Returns the value if it has the type, else throws {@link OneshotError} with the path of the wrong member. */
export type Check<T> = (value: unknown, path: string) => T;

type Members<T> = { [K in keyof T]-?: Check<T[K]> };

function ofType<T>(name: string, is: (value: unknown) => boolean): Check<T> {
    return (value, path) => {
        if (!is(value)) throw new OneshotError(`${path} must be ${name}`);
        return value as T;
    };
}

const text: Check<string> = ofType("a string", (value) => typeof value === "string");
const integer: Check<number> = ofType("an integer", Number.isSafeInteger);
const flag: Check<boolean> = ofType("a boolean", (value) => typeof value === "boolean");
const list: Check<unknown[]> = ofType("an array", Array.isArray);
const record: Check<Record<string, unknown>> = ofType(
    "an object",
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);
// The contract only adds within a version, so a value that this client does not know is no error.
const mode = text as Check<types.Mode>;
const status = text as Check<types.Status>;

function orNull<T>(check: Check<T>): Check<T | null> {
    return (value, path) => (value === null ? null : check(value, path));
}

function optional<T>(check: Check<T>): Check<T> {
    return (value, path) => (value === undefined ? (undefined as T) : check(value, path));
}

function each<T>(check: Check<T>): Check<T[]> {
    return (value, path) => {
        list(value, path).forEach((item, index) => check(item, `${path}[${index}]`));
        return value as T[];
    };
}

function object<T>(members: Members<T>): Check<T> {
    return (value, path) => {
        const found = record(value, path);
        for (const name of Object.keys(members) as (keyof T & string)[]) members[name](found[name], `${path}.${name}`);
        return value as T;
    };
}

const headers: Check<Record<string, string>> = (value, path) => {
    for (const [name, field] of Object.entries(record(value, path))) text(field, `${path}.${name}`);
    return value as Record<string, string>;
};

const named = { id: text, address: text, mode, expires_at: text, label: orNull(text) };

export const createdAddress = object<types.CreatedAddress>({
    ...named,
    status: text as Check<types.CreatedAddress["status"]>,
    send_to: optional(text),
});

export const address = object<types.Address>({
    ...named,
    status,
    email: orNull(
        object<types.EmailSummary>({
            from: text,
            subject: text,
            received_at: text,
            size_bytes: integer,
            has_attachments: flag,
            attachment_count: integer,
        }),
    ),
});

export const addressPage = object<types.AddressPage>({ items: each(address), next_cursor: orNull(text) });

export const emailContent = object<types.EmailContent>({
    from: text,
    to: text,
    subject: text,
    text_body: text,
    html_body: text,
    headers,
    received_at: text,
    size_bytes: integer,
    attachments: each(
        object<types.Attachment>({
            filename: text,
            content_type: text,
            size_bytes: integer,
            download_url: text,
            content_id: optional(text),
            content_location: optional(text),
        }),
    ),
});

export const account = object<types.Account>({
    id: text,
    name: text,
    plan: text,
    billing_cycle_ends: text,
    monthly_allocation: integer,
    used: integer,
    credits: integer,
    limits: object<types.AccountLimits>({
        max_ttl_seconds: integer,
        max_email_bytes: integer,
        max_attachment_bytes: integer,
        requests_per_second: integer,
        burst: integer,
    }),
    contact_email: optional(text),
});

export const creditsAdded = object<types.CreditsAdded>({ credits_added: integer, credits: integer, reference: text });

export const apiKey = object<types.ApiKey>({ api_key: text });
