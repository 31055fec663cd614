import { authenticationOf } from "./authentication.js";
import { codesOf } from "./codes.js";
import { cut, linksOf, verificationLinkOf } from "./links.js";
const CODES_NAMED_MAX = 5;
export class Email {
    constructor(content) {
        this.from = content.from;
        this.to = content.to;
        this.subject = content.subject;
        this.text_body = content.text_body;
        this.html_body = content.html_body;
        this.headers = content.headers;
        this.received_at = content.received_at;
        this.size_bytes = content.size_bytes;
        this.attachments = content.attachments;
    }
    codes() {
        return codesOf(this.subject, joinedText(this), this.html_body);
    }
    code() {
        const codes = this.codes();
        const best = codes.filter((code) => code.score === codes[0].score).map((code) => code.value);
        if (best.length > 1) {
            throw new Error(`the e-mail has codes that are equally likely: ${best.slice(0, CODES_NAMED_MAX).join(", ")}`);
        }
        return codes[0];
    }
    links() {
        return linksOf(joinedText(this), this.html_body);
    }
    verificationLink() {
        return verificationLinkOf(joinedText(this), this.html_body);
    }
    authentication(authservId = this.to.slice(this.to.lastIndexOf("@") + 1)) {
        return authenticationOf(headerOf(this, "authentication-results"), authservId);
    }
}
function headerOf({ headers }, lowerCase) {
    return Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCase)?.[1] ?? "";
}
function joinedText(email) {
    const type = headerOf(email, "content-type").split(/\r?\n/)[0];
    if (!/^[ \t]*text\/plain[ \t]*;/i.test(type) || !/;[ \t]*format[ \t]*=[ \t]*"?flowed"?[ \t]*(?:;|$)/i.test(type))
        return email.text_body;
    const deletesBlank = /;[ \t]*delsp[ \t]*=[ \t]*"?yes"?[ \t]*(?:;|$)/i.test(type);
    const pieces = [];
    let openDepth = -1;
    for (const line of cut(email.text_body).split(/\r?\n/)) {
        const depth = /^>*/.exec(line)[0].length;
        const content = line.slice(depth).replace(/^ /, "");
        const isSignature = content === "-- ";
        if (depth === openDepth && content !== "" && !isSignature) {
            if (deletesBlank)
                pieces.push(pieces.pop().slice(0, -1));
            pieces.push(content);
        }
        else {
            pieces.push(pieces.length === 0 ? "" : "\n", depth === 0 ? content : line);
        }
        openDepth = content.endsWith(" ") && !isSignature ? depth : -1;
    }
    return pieces.join("");
}
