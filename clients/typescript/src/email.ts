import { type Authentication, authenticationOf } from "./authentication.js";
import { type Code, codesOf } from "./codes.js";
import { cut, type Link, linksOf, verificationLinkOf } from "./links.js";
import type { EmailContent } from "./types.js";

const CODES_NAMED_MAX = 5;

export interface Email extends EmailContent {}

/** A received e-mail, and what a test looks for in it. */
export class Email {
    constructor(content: EmailContent) {
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

    /**
     * The one-time codes in subject and bodies, best first; empty if there is none. Years, dates, times, amounts, phone numbers,
     * order numbers, postal codes and codes for a discount are left out. `clients/README.md` describes how.
     *
     * @example const code = email.codes()[0]?.value;
     */
    codes(): Code[] {
        return codesOf(this.subject, joinedText(this), this.html_body);
    }

    /**
     * The best of {@link codes}; undefined if there is none.
     *
     * @throws Error if another one is as likely; the message names both
     * @example const code = email.code()?.value;
     */
    code(): Code | undefined {
        const codes = this.codes();
        const best = codes.filter((code) => code.score === codes[0]!.score).map((code) => code.value);
        if (best.length > 1) {
            throw new Error(`the e-mail has codes that are equally likely: ${best.slice(0, CODES_NAMED_MAX).join(", ")}`);
        }
        return codes[0];
    }

    /**
     * The web links, each URL once: those of the HTML body in its order, then those that only its text or the plain text body
     * has. Images, other schemes, relative URLs and hidden links are left out.
     *
     * @example const terms = email.links().find((link) => link.text === "Terms");
     */
    links(): Link[] {
        return linksOf(joinedText(this), this.html_body);
    }

    /**
     * The link that confirms an address, signs in or resets a password, by the words in it; undefined if none has such words.
     *
     * @example await page.goto(email.verificationLink()!.href);
     */
    verificationLink(): Link | undefined {
        return verificationLinkOf(joinedText(this), this.html_body);
    }

    /**
     * What the service found of the sender, if it checks senders; other fields of the name are not trusted.
     *
     * @param authservId the service's name in the field; by default the domain of `to`
     * @example expect(email.authentication()?.dmarc).toBe("pass");
     */
    authentication(authservId: string = this.to.slice(this.to.lastIndexOf("@") + 1)): Authentication | undefined {
        return authenticationOf(headerOf(this, "authentication-results"), authservId);
    }
}

function headerOf({ headers }: EmailContent, lowerCase: string): string {
    return Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCase)?.[1] ?? "";
}

/** The plain text; if it has soft line breaks (RFC 3676), which may be in a link or a code, its paragraphs are lines. */
function joinedText(email: EmailContent): string {
    const type = headerOf(email, "content-type").split(/\r?\n/)[0]!;
    if (!/^[ \t]*text\/plain[ \t]*;/i.test(type) || !/;[ \t]*format[ \t]*=[ \t]*"?flowed"?[ \t]*(?:;|$)/i.test(type))
        return email.text_body;
    const deletesBlank = /;[ \t]*delsp[ \t]*=[ \t]*"?yes"?[ \t]*(?:;|$)/i.test(type);
    const pieces: string[] = [];
    let openDepth = -1;
    for (const line of cut(email.text_body).split(/\r?\n/)) {
        const depth = /^>*/.exec(line)![0].length;
        const content = line.slice(depth).replace(/^ /, "");
        const isSignature = content === "-- ";
        if (depth === openDepth && content !== "" && !isSignature) {
            if (deletesBlank) pieces.push(pieces.pop()!.slice(0, -1));
            pieces.push(content);
        } else {
            pieces.push(pieces.length === 0 ? "" : "\n", depth === 0 ? content : line);
        }
        openDepth = content.endsWith(" ") && !isSignature ? depth : -1;
    }
    return pieces.join("");
}
