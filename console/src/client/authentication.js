export function authenticationOf(fields, authservId) {
    for (const field of fields.split("\n")) {
        const [name, ...parts] = split(field, ";");
        if (name?.trim().toLowerCase() === authservId.toLowerCase()) {
            const results = parts.map(resultOf).filter((result) => result !== undefined);
            const first = (method) => results.find((each) => each.method === method)?.result ?? "none";
            const signed = results.some((each) => each.method === "dkim" && each.result === "pass");
            return { spf: first("spf"), dkim: signed ? "pass" : first("dkim"), dmarc: first("dmarc"), results };
        }
    }
    return undefined;
}
function resultOf(part) {
    let found;
    for (const word of split(part, " \t")) {
        const equals = word.indexOf("=");
        if (equals <= 0)
            continue;
        const name = word.slice(0, equals).toLowerCase();
        const value = word.slice(equals + 1);
        if (found === undefined)
            found = { method: name, result: value.toLowerCase(), reason: "", properties: {} };
        else if (name === "reason")
            found.reason = value;
        else if (!Object.hasOwn(found.properties, name))
            found.properties[name] = value;
    }
    return found;
}
function split(text, separators) {
    const words = separators.includes(" ");
    const parts = [""];
    let quoted = false;
    for (const c of text) {
        if (c === '"')
            quoted = !quoted;
        if (!quoted && separators.includes(c))
            parts.push("");
        else if (c !== '"' || !words)
            parts[parts.length - 1] += c;
    }
    return parts;
}
