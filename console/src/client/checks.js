import { OneshotError } from "./errors.js";
function ofType(name, is) {
    return (value, path) => {
        if (!is(value))
            throw new OneshotError(`${path} must be ${name}`);
        return value;
    };
}
const text = ofType("a string", (value) => typeof value === "string");
const integer = ofType("an integer", Number.isSafeInteger);
const flag = ofType("a boolean", (value) => typeof value === "boolean");
const list = ofType("an array", Array.isArray);
const record = ofType("an object", (value) => typeof value === "object" && value !== null && !Array.isArray(value));
const mode = text;
const status = text;
function orNull(check) {
    return (value, path) => (value === null ? null : check(value, path));
}
function optional(check) {
    return (value, path) => (value === undefined ? undefined : check(value, path));
}
function each(check) {
    return (value, path) => {
        list(value, path).forEach((item, index) => check(item, `${path}[${index}]`));
        return value;
    };
}
function object(members) {
    return (value, path) => {
        const found = record(value, path);
        for (const name of Object.keys(members))
            members[name](found[name], `${path}.${name}`);
        return value;
    };
}
const headers = (value, path) => {
    for (const [name, field] of Object.entries(record(value, path)))
        text(field, `${path}.${name}`);
    return value;
};
const named = { id: text, address: text, mode, expires_at: text, label: orNull(text) };
export const createdAddress = object({
    ...named,
    status: text,
    send_to: optional(text),
});
export const address = object({
    ...named,
    status,
    email: orNull(object({
        from: text,
        subject: text,
        received_at: text,
        size_bytes: integer,
        has_attachments: flag,
        attachment_count: integer,
    })),
});
export const addressPage = object({ items: each(address), next_cursor: orNull(text) });
export const emailContent = object({
    from: text,
    to: text,
    subject: text,
    text_body: text,
    html_body: text,
    headers,
    received_at: text,
    size_bytes: integer,
    attachments: each(object({
        filename: text,
        content_type: text,
        size_bytes: integer,
        download_url: text,
        content_id: optional(text),
        content_location: optional(text),
    })),
});
export const account = object({
    id: text,
    name: text,
    plan: text,
    billing_cycle_ends: text,
    monthly_allocation: integer,
    used: integer,
    credits: integer,
    limits: object({
        max_ttl_seconds: integer,
        max_email_bytes: integer,
        max_attachment_bytes: integer,
        requests_per_second: integer,
        burst: integer,
    }),
    contact_email: optional(text),
});
export const creditsAdded = object({ credits_added: integer, credits: integer, reference: text });
export const apiKey = object({ api_key: text });
