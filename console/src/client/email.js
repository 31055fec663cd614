import { authenticationOf } from "./authentication.js";
import { codesOf } from "./codes.js";
import { linksOf, verificationLinkOf } from "./links.js";
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
        return codesOf(this.subject, this.text_body, this.html_body);
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
        return linksOf(this.text_body, this.html_body);
    }
    verificationLink() {
        return verificationLinkOf(this.text_body, this.html_body);
    }
    authentication(authservId = this.to.slice(this.to.lastIndexOf("@") + 1)) {
        const fields = Object.entries(this.headers).find(([name]) => name.toLowerCase() === "authentication-results");
        return authenticationOf(fields?.[1] ?? "", authservId);
    }
}
