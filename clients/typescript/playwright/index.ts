import { test as base, type TestInfo } from "@playwright/test";
import {
    AddressExpiredError,
    type AwaitOptions,
    AwaitTimeoutError,
    type ClientOptions,
    type Email,
    NotFoundError,
    OneshotClient,
} from "oneshot-client";

const SUMMARY = "e-mail of the mailbox";
/** How long an address lives whose test was killed. */
const TTL_SECONDS = 600;
/** How much of the text is printed. */
const TEXT_CHARACTERS_MAX = 4_000;

/** A fresh address of one test. */
export class Mailbox {
    constructor(
        /** The client that created it. */
        readonly client: OneshotClient,
        /** The local part of the address, which names it in calls of the client. */
        readonly id: string,
        /** The full e-mail address, to type into a form. */
        readonly address: string,
    ) {}

    /**
     * Waits for the e-mail, 20 s by default; fails as {@link OneshotClient.awaitEmail}. Called again, it returns the same e-mail.
     * Each wait is a step of the test, and of its trace.
     *
     * @example expect((await mailbox.awaitEmail()).subject).toBe("Welcome");
     */
    awaitEmail(options?: AwaitOptions): Promise<Email> {
        return step(`Await e-mail at ${this.address}`, () => this.client.awaitEmail(this, options));
    }

    /**
     * Waits for this time, and fails if an e-mail arrives.
     *
     * @throws Error if there is an e-mail; the message has its sender and subject
     * @throws AwaitTimeoutError if the service failed at the end, so that it is unknown whether there is one
     * @example await mailbox.awaitNone({ timeoutMs: 5_000 });
     */
    awaitNone(options: AwaitOptions & { timeoutMs: number }): Promise<void> {
        return step(`Await no e-mail at ${this.address}`, async () => {
            const email = await this.client.awaitEmail(this, options).catch((error: unknown) => {
                if (error instanceof AwaitTimeoutError && error.cause === undefined) return undefined;
                throw error;
            });
            if (email === undefined) return;
            const { from, subject } = email;
            throw new Error(`there is an e-mail from ${from} with the subject ${printable(subject)} where none was expected`);
        });
    }

    /**
     * Waits for the e-mail, and returns its best one-time code.
     *
     * @throws Error if there is none in it, and the message has the subject; or if two are equally likely, and the message has both
     * @example await page.getByLabel("Code").fill(await mailbox.awaitCode());
     */
    awaitCode(options?: AwaitOptions): Promise<string> {
        return step(`Await code at ${this.address}`, async () => {
            const email = await this.client.awaitEmail(this, options);
            return email.code()?.value ?? isMissing("code", email);
        });
    }

    /**
     * Waits for the e-mail, and returns the URL of its verification link.
     *
     * @throws Error if there is none in it; the message has the subject
     * @example await page.goto(await mailbox.awaitVerificationLink());
     */
    awaitVerificationLink(options?: AwaitOptions): Promise<string> {
        return step(`Await verification link at ${this.address}`, async () => {
            const email = await this.client.awaitEmail(this, options);
            return email.verificationLink()?.href ?? isMissing("verification link", email);
        });
    }
}

/** What a further mailbox is made with. */
export interface MailboxOptions {
    /** The title of the test by default. */
    label?: string | undefined;
    /** How long the address lives whose test was killed; 600 by default. */
    ttl_seconds?: number | undefined;
}

/** Fixtures of a test. */
export interface TestFixtures {
    /**
     * A new address for this test, labelled with its title. It is deleted after the test; if that failed, a summary and the text of
     * the e-mail are printed, and text, HTML and raw e-mail are attached.
     */
    mailbox: Mailbox;
    /** Creates a further mailbox of this test: `const admin = await createMailbox({ label: "admin" })`. */
    createMailbox: (options?: MailboxOptions) => Promise<Mailbox>;
    /** Whether the mailboxes of a failed test are kept until they expire, as with `test.use({ keepMailOnFailure: true })`. */
    keepMailOnFailure: boolean;
}

/** Fixtures of a worker. */
export interface WorkerFixtures {
    /** Options of the client, as in `test.use({ oneshotOptions: { baseUrl, apiKey } })`; its defaults without. */
    oneshotOptions: ClientOptions;
    /** The client of this worker. */
    oneshot: OneshotClient;
}

/**
 * Playwright's `test` with a mailbox.
 *
 * @example
 * import { expect, test } from "oneshot-client/playwright";
 *
 * test("a new user confirms the address", async ({ page, mailbox }) => {
 *   await page.goto("https://app.example.com/sign-up");
 *   await page.getByLabel("E-mail").fill(mailbox.address);
 *   await page.getByRole("button", { name: "Sign up" }).click();
 *   await page.getByLabel("Code").fill(await mailbox.awaitCode());
 *   await expect(page.getByText("Welcome")).toBeVisible();
 * });
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
    oneshotOptions: [{}, { scope: "worker", option: true }],
    oneshot: [
        async ({ oneshotOptions }, use) => {
            await use(new OneshotClient(oneshotOptions));
        },
        { scope: "worker" },
    ],
    keepMailOnFailure: [false, { option: true }],
    createMailbox: async ({ oneshot, keepMailOnFailure }, use, testInfo) => {
        const mailboxes: Mailbox[] = [];
        const hasFailed = () => testInfo.status !== testInfo.expectedStatus;
        try {
            await use(async ({ label, ttl_seconds } = {}) => {
                const { id, address } = await oneshot.createAddress({
                    ttl_seconds: ttl_seconds ?? TTL_SECONDS,
                    label: labelOf(label ?? testInfo.title),
                });
                const mailbox = new Mailbox(oneshot, id, address);
                mailboxes.push(mailbox);
                return mailbox;
            });
            if (hasFailed()) for (const mailbox of mailboxes) await report(mailbox, testInfo);
        } finally {
            const toDelete = keepMailOnFailure && hasFailed() ? [] : mailboxes;
            const deleted = await Promise.allSettled(
                toDelete.map((mailbox) => oneshot.deleteAddress(mailbox).catch(unlessGone)),
            );
            for (const result of deleted) if (result.status === "rejected") throw result.reason;
        }
    },
    mailbox: async ({ createMailbox }, use) => {
        await use(await createMailbox());
    },
});

export { expect } from "@playwright/test";

/** What a label may be: 1 to 255 characters, no control characters. */
function labelOf(title: string): string {
    return [...printable(title)].slice(0, 255).join("") || "a test without a title";
}

/** Without control characters, which the service rejects in labels and a terminal would obey. */
function printable(text: string): string {
    return text.replace(/\p{Cc}/gu, " ");
}

function isMissing(what: string, { from, subject }: Email): never {
    throw new Error(`there is no ${what} in the e-mail from ${from} with the subject ${printable(subject)}`);
}

/** Outside a test there are no steps. */
async function step<T>(title: string, body: () => Promise<T>): Promise<T> {
    let isInTest = true;
    try {
        base.info();
    } catch {
        isInTest = false;
    }
    return isInTest ? base.step(title, body, { box: true }) : body();
}

async function report(mailbox: Mailbox, testInfo: TestInfo): Promise<void> {
    const { client, id, address } = mailbox;
    const attach = (name: string, contentType: string, body: string | Buffer) =>
        testInfo.attach(name, { body, contentType });
    let summary: string;
    try {
        const { status, email } = await client.getAddress(id);
        if (email === null) {
            summary = `${address} is ${status}, without an e-mail`;
        } else {
            const { text_body, html_body } = await client.getEmail(id);
            summary = [
                `${address} has an e-mail`,
                `  from ${printable(email.from)}`,
                `  subject ${printable(email.subject)}`,
                `  received at ${email.received_at}, ${email.size_bytes} bytes, ${email.attachment_count} attachments`,
                ...excerpt(text_body),
            ].join("\n");
            if (text_body !== "") await attach(`${address}: text`, "text/plain", text_body);
            if (html_body !== "") await attach(`${address}: HTML`, "text/html", html_body);
            const raw = await new Response(await client.getRawEmail(id)).arrayBuffer();
            await attach(`${address}: raw`, "message/rfc822", Buffer.from(raw));
        }
    } catch (error) {
        // The failure of the test matters more than this one.
        summary = `${address} cannot be read: ${String(error)}`;
    }
    console.log(`${printable(testInfo.title)}: ${summary}`);
    await attach(SUMMARY, "text/plain", summary);
}

/** The text, indented; without control characters, but with its lines. */
function excerpt(text: string): string[] {
    const more = text.length - TEXT_CHARACTERS_MAX;
    const cut = more > 0 ? `${text.slice(0, TEXT_CHARACTERS_MAX)} [${more} more characters]` : text;
    return cut.trim() === "" ? [] : cut.trim().split(/\r?\n/).map((line) => `    ${printable(line)}`);
}

function unlessGone(error: unknown): void {
    if (!(error instanceof NotFoundError || error instanceof AddressExpiredError)) throw error;
}
