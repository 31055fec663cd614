/** One result of {@link Authentication}. */
export interface AuthenticationResult {
    /** `spf`, `dkim` or `dmarc`. */
    method: string;
    /** Such as `pass`, `fail` or `none`. */
    result: string;
    /** Why it is no pass; may be empty. */
    reason: string;
    /** What was checked, such as `header.d`. */
    properties: Record<string, string>;
}

/** What the service found of the sender of an e-mail: its field Authentication-Results (RFC 8601). */
export interface Authentication {
    /** SPF of the sender in MAIL, or of the name in EHLO if there was none. */
    spf: string;
    /** DKIM: `pass` if any signature passes, else the first result. */
    dkim: string;
    /** DMARC of the domain in From. */
    dmarc: string;
    /** In the order of the field. */
    results: AuthenticationResult[];
}

/** The field of a service. It removes fields that came with its name, so the one with its name is its own. */
export function authenticationOf(fields: string, authservId: string): Authentication | undefined {
    for (const field of fields.split("\n")) {
        const [name, ...parts] = split(field, ";");
        if (name?.trim().toLowerCase() === authservId.toLowerCase()) {
            const results = parts.map(resultOf).filter((result) => result !== undefined);
            const first = (method: string) => results.find((each) => each.method === method)?.result ?? "none";
            const signed = results.some((each) => each.method === "dkim" && each.result === "pass");
            return { spf: first("spf"), dkim: signed ? "pass" : first("dkim"), dmarc: first("dmarc"), results };
        }
    }
    return undefined;
}

function resultOf(part: string): AuthenticationResult | undefined {
    let found: AuthenticationResult | undefined;
    for (const word of split(part, " \t")) {
        const equals = word.indexOf("=");
        if (equals <= 0) continue;
        const name = word.slice(0, equals).toLowerCase();
        const value = word.slice(equals + 1);
        if (found === undefined) found = { method: name, result: value.toLowerCase(), reason: "", properties: {} };
        else if (name === "reason") found.reason = value;
        else if (!Object.hasOwn(found.properties, name)) found.properties[name] = value;
    }
    return found;
}

/** Splits at characters outside quotes, and removes the quotes if they are blanks. */
function split(text: string, separators: string): string[] {
    const words = separators.includes(" ");
    const parts = [""];
    let quoted = false;
    for (const c of text) {
        if (c === '"') quoted = !quoted;
        if (!quoted && separators.includes(c)) parts.push("");
        else if (c !== '"' || !words) parts[parts.length - 1] += c;
    }
    return parts;
}
