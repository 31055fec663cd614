const PARTS_MAX = 2000;
const DEPTH_MAX = 20;
const HEADER_MAX = 256 * 1024;

/**
 * The Content-ID of each attachment, read from the source of an e-mail. Which parts are attachments is the API's rule: what is marked as
 * one, has a name, or is no text. If the numbers differ, a name that is the first half of the Content-ID tells.
 *
 * @param {string} source one character for each byte
 * @param {{ filename: string }[]} attachments
 * @returns {(string | undefined)[]} in the order of the attachments
 */
export function contentIds(source, attachments) {
    /** @type {(string | undefined)[]} */
    const found = [];
    let parts = 0;
    walk(0, source.length, 0, "text/plain");
    if (found.length === attachments.length) return found;
    return attachments.map(({ filename }) => found.find((id) => id !== undefined && id.split("@")[0] === filename));

    /** @param {number} start @param {number} end @param {number} depth @param {string} byDefault */
    function walk(start, end, depth, byDefault) {
        if (++parts > PARTS_MAX || depth > DEPTH_MAX) return;
        const { fields, body } = header(start, end);
        const type = fields.get("content-type") ?? byDefault;
        const boundary = type.toLowerCase().startsWith("multipart/") ? parameter(type, "boundary") : undefined;
        if (boundary) {
            const inner = type.toLowerCase().startsWith("multipart/digest") ? "message/rfc822" : "text/plain";
            for (const [from, to] of between(body, end, boundary)) walk(from, to, depth + 1, inner);
            return;
        }
        const disposition = fields.get("content-disposition") ?? "";
        const isNamed = /;\s*(?:file)?name\*?(?:\d+\*?)?\s*=/i.test(`${type};${disposition}`);
        if (isNamed || /^\s*attachment/i.test(disposition) || !/^\s*text\//i.test(type)) {
            found.push(/<?([^<>\s]+)>?/.exec(fields.get("content-id") ?? "")?.[1]);
        }
    }

    /** @param {number} start @param {number} end */
    function header(start, end) {
        const blank = /\r?\n\r?\n/g;
        const block = source.slice(start, Math.min(end, start + HEADER_MAX));
        // A part may begin with its body.
        const found = /^\r?\n/.exec(block) ?? blank.exec(block);
        const text = found ? block.slice(0, found.index) : block;
        /** @type {Map<string, string>} */
        const fields = new Map();
        for (const line of text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
            const colon = line.indexOf(":");
            const name = line.slice(0, colon).trim().toLowerCase();
            if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
        }
        return { fields, body: start + (found ? found.index + found[0].length : block.length) };
    }

    /** @param {number} start @param {number} end @param {string} boundary @returns {[number, number][]} */
    function between(start, end, boundary) {
        /** @type {[number, number][]} */
        const inner = [];
        const line = `--${boundary}`;
        let from = -1;
        for (let at = source.indexOf(line, start); at >= 0 && at < end; at = source.indexOf(line, at + line.length)) {
            if (at !== start && source[at - 1] !== "\n") continue;
            const next = source.indexOf("\n", at);
            const isLast = source.startsWith("--", at + line.length);
            // Another boundary may begin with this one.
            if (!isLast && source.slice(at + line.length, next < 0 ? end : next).trim() !== "") continue;
            if (from >= 0) inner.push([from, at]);
            if (isLast || next < 0 || inner.length > PARTS_MAX) return inner;
            from = next + 1;
        }
        if (from >= 0) inner.push([from, end]);
        return inner;
    }
}

/** @param {string} value @param {string} name */
function parameter(value, name) {
    const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, "i").exec(value);
    return found?.[1] ?? found?.[2];
}
