import { test as base, type TestInfo } from "@playwright/test";
import {
    AddressExpiredError,
    type AwaitOptions,
    type ClientOptions,
    type Email,
    NotFoundError,
    OneshotClient,
} from "oneshot-client";

const SUMMARY = "e-mail of the mailbox";
/** How long an address lives whose test was killed. */
const TTL_SECONDS = 600;

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
     *
     * @example expect((await mailbox.awaitEmail()).subject).toBe("Welcome");
     */
    awaitEmail(options?: AwaitOptions): Promise<Email> {
        return this.client.awaitEmail(this, options);
    }

    /**
     * Waits for the e-mail, and returns its best one-time code.
     *
     * @throws Error if there is none in it, and the message has the subject; or if two are equally likely, and the message has both
     * @example await page.getByLabel("Code").fill(await mailbox.awaitCode());
     */
    async awaitCode(options?: AwaitOptions): Promise<string> {
        const email = await this.awaitEmail(options);
        return email.code()?.value ?? isMissing("code", email);
    }

    /**
     * Waits for the e-mail, and returns the URL of its verification link.
     *
     * @throws Error if there is none in it; the message has the subject
     * @example await page.goto(await mailbox.awaitVerificationLink());
     */
    async awaitVerificationLink(options?: AwaitOptions): Promise<string> {
        const email = await this.awaitEmail(options);
        return email.verificationLink()?.href ?? isMissing("verification link", email);
    }
}

/** Fixtures of a test. */
export interface TestFixtures {
    /**
     * A new address for this test, labelled with its title. It is deleted after the test; if that failed, a summary of the
     * e-mail is printed and attached.
     */
    mailbox: Mailbox;
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
    mailbox: async ({ oneshot }, use, testInfo) => {
        const { id, address } = await oneshot.createAddress({
            ttl_seconds: TTL_SECONDS,
            label: labelOf(testInfo.title),
        });
        const mailbox = new Mailbox(oneshot, id, address);
        try {
            await use(mailbox);
            if (testInfo.status !== testInfo.expectedStatus) await report(mailbox, testInfo);
        } finally {
            await oneshot.deleteAddress(mailbox).catch(unlessGone);
        }
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

async function report(mailbox: Mailbox, testInfo: TestInfo): Promise<void> {
    const body = await summaryOf(mailbox);
    console.log(`${printable(testInfo.title)}: ${body}`);
    await testInfo.attach(SUMMARY, { body, contentType: "text/plain" });
}

async function summaryOf({ client, id, address }: Mailbox): Promise<string> {
    try {
        const { status, email } = await client.getAddress(id);
        if (email === null) return `${address} is ${status}, without an e-mail`;
        return [
            `${address} has an e-mail`,
            `  from ${printable(email.from)}`,
            `  subject ${printable(email.subject)}`,
            `  received at ${email.received_at}, ${email.size_bytes} bytes, ${email.attachment_count} attachments`,
        ].join("\n");
    } catch (error) {
        // The failure of the test matters more than this one.
        return `${address} cannot be read: ${String(error)}`;
    }
}

function unlessGone(error: unknown): void {
    if (!(error instanceof NotFoundError || error instanceof AddressExpiredError)) throw error;
}
