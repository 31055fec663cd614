import { authenticationOf } from "./authentication.js";
import { codesOf } from "./codes.js";
import { linksOf, verificationLinkOf } from "./links.js";
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
    links() {
        return linksOf(this.text_body, this.html_body);
    }
    verificationLink() {
        return verificationLinkOf(this.links());
    }
    authentication(authservId = this.to.slice(this.to.lastIndexOf("@") + 1)) {
        const fields = Object.entries(this.headers).find(([name]) => name.toLowerCase() === "authentication-results");
        return authenticationOf(fields?.[1] ?? "", authservId);
    }
}
