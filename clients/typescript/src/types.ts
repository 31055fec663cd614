/** What an address is for: one e-mail to receive, or one to send. */
export type Mode = "receive" | "send";

/** The state of an address. Only `waiting` and `received` have a next state. */
export type Status = "waiting" | "received" | "expired" | "sent";

/** A request for an address; every member is optional in receive mode. */
export interface CreateAddress {
    /** Seconds until the address expires, 60 to 86400 and at most what the plan allows; 3600 by default. */
    ttl_seconds?: number | null | undefined;
    /** Filters lists and deletes in bulk: 1 to 255 characters, no control characters. */
    label?: string | null | undefined;
    /** `receive` by default. */
    mode?: Mode | undefined;
    /** The e-mail to send; required in send mode, ignored in receive mode. */
    send?: Send | null | undefined;
}

/** An e-mail to send. */
export interface Send {
    /** The recipient, one e-mail address. */
    to: string;
    /** At most 998 characters; it may be empty. */
    subject: string;
    /** The body as plain text. */
    text_body?: string | null | undefined;
    /** The body as HTML. */
    html_body?: string | null | undefined;
    /** At most 100 files. The whole request may have at most 48 MiB of JSON. */
    attachments?: SendAttachment[] | null | undefined;
}

/** A file to send; {@link fileToSend} makes it from bytes. */
export interface SendAttachment {
    /** 1 to 255 characters. A path in front of it is left out. */
    filename: string;
    /** A media type, such as `application/pdf`; at most 255 characters. */
    content_type: string;
    /** The content in base64 (RFC 4648 §4). */
    content_base64: string;
}

/** A new address. */
export interface CreatedAddress {
    /** The local part of the address, which names it in every path. */
    id: string;
    /** The full e-mail address. */
    address: string;
    mode: Mode;
    status: "waiting" | "sent";
    /** When the address and its e-mail are deleted, ISO 8601 in UTC. */
    expires_at: string;
    /** Null if none was given. */
    label: string | null;
    /** The recipient of the e-mail; in send mode only. */
    send_to?: string;
}

/** An address and a summary of its e-mail. */
export interface Address extends Omit<CreatedAddress, "status" | "send_to"> {
    status: Status;
    /** Null while no e-mail has been received. */
    email: EmailSummary | null;
}

/** A page of the list of addresses, newest first. */
export interface AddressPage {
    items: Address[];
    /** Names the next page; null on the last one. */
    next_cursor: string | null;
}

/** What a list shows of an e-mail. */
export interface EmailSummary {
    /** The address of the first mailbox in the field From, without display name. */
    from: string;
    /** The first 1,000 characters of the subject. The e-mail has the whole subject. */
    subject: string;
    /** ISO 8601 in UTC. */
    received_at: string;
    /** The size of the raw e-mail in bytes. */
    size_bytes: number;
    has_attachments: boolean;
    attachment_count: number;
}

/** The content of a received e-mail. All of it comes from its sender: show it as data, never as markup. */
export interface EmailContent {
    /** The address of the first mailbox in the field From, without display name. */
    from: string;
    /** The one-shot address. The field To may have another. */
    to: string;
    /** Empty if there is none. */
    subject: string;
    /** The body as plain text; empty if there is none. */
    text_body: string;
    /** The body as HTML; empty if there is none. */
    html_body: string;
    /** The header fields by name, unfolded and decoded. Repeated fields are joined with line feeds. */
    headers: Record<string, string>;
    /** ISO 8601 in UTC. */
    received_at: string;
    /** The size of the raw e-mail in bytes. */
    size_bytes: number;
    /** In the order of the e-mail; the position is the index of the download. */
    attachments: Attachment[];
}

/** An attachment, without its content. */
export interface Attachment {
    /** The name, without a path. */
    filename: string;
    /** The media type. */
    content_type: string;
    /** The size of the decoded content in bytes. */
    size_bytes: number;
    /** Where to download it, relative to the base URL. */
    download_url: string;
    /** Its Content-ID without angle brackets, as URLs `cid:` in the HTML name it. Missing if it has none. */
    content_id?: string;
    /** Its Content-Location: the URL by which the HTML refers to it (RFC 2557), absolute or relative. Missing if it has none. */
    content_location?: string;
}

/** An account, its plan, its usage and its credits. */
export interface Account {
    id: string;
    name: string;
    plan: string;
    /** When the billing cycle ends and the allocation starts again, ISO 8601 in UTC. */
    billing_cycle_ends: string;
    /** How many addresses the plan includes in a billing cycle. */
    monthly_allocation: number;
    /** How much of the allocation is used in this billing cycle. */
    used: number;
    /** Purchased credits, spent when the allocation is used up. */
    credits: number;
    limits: AccountLimits;
    /** The mailbox that the service writes to, if the operator has set one. */
    contact_email?: string;
}

/** What a plan allows. */
export interface AccountLimits {
    max_ttl_seconds: number;
    /** The largest e-mail in bytes, received or sent. */
    max_email_bytes: number;
    /** The largest attachment in bytes when decoded, received or sent. */
    max_attachment_bytes: number;
    requests_per_second: number;
    /** How many requests may come at once. */
    burst: number;
}

/** Credits that were added. */
export interface CreditsAdded {
    credits_added: number;
    /** The balance after that. */
    credits: number;
    /** The name of the purchase. */
    reference: string;
}

/** A new API key, shown this once. */
export interface ApiKey {
    api_key: string;
}
