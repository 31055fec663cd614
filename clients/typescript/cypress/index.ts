import { Email, type EmailContent } from "oneshot-client";
import type { Mailbox, Tasks } from "./tasks.js";

export type { Mailbox } from "./tasks.js";

/** How long an address lives whose test was killed. */
const TTL_SECONDS = 600;
const DEFAULT_WAIT_MS = 20_000;
/** A task may take this much longer than its wait: a slow service may still respond. */
const TASK_EXTRA_MS = 15_000;

/** What a mailbox is made with. */
export interface MailboxOptions {
    /** The title of the test by default. */
    label?: string | undefined;
    /** How long the address lives whose test was killed; 600 by default. */
    ttl_seconds?: number | undefined;
}

/** How to wait. */
export interface WaitOptions {
    /** Milliseconds to wait; 20000 by default. */
    timeoutMs?: number | undefined;
}

declare global {
    // The declarations of Cypress are merged with these, and its are namespaces.
    namespace Cypress {
        interface Chainable<Subject = any> {
            /**
             * Creates an address of this test, labelled with its title. It is deleted after the test.
             *
             * @example cy.createMailbox().then((mailbox) => cy.get("#email").type(mailbox.address));
             */
            createMailbox(options?: MailboxOptions): Chainable<Mailbox>;
            /**
             * Waits for the e-mail of a mailbox.
             *
             * @example cy.awaitEmail(mailbox).its("subject").should("eq", "Welcome");
             */
            awaitEmail(mailbox: Mailbox, options?: WaitOptions): Chainable<Email>;
            /**
             * Waits for the e-mail of a mailbox, and yields its best one-time code.
             *
             * @example cy.awaitCode(mailbox).then((code) => cy.get("#code").type(code));
             */
            awaitCode(mailbox: Mailbox, options?: WaitOptions): Chainable<string>;
            /**
             * Waits for the e-mail of a mailbox, and yields the URL of its verification link.
             *
             * @example cy.awaitVerificationLink(mailbox).then((href) => cy.visit(href));
             */
            awaitVerificationLink(mailbox: Mailbox, options?: WaitOptions): Chainable<string>;
        }
    }
}

/** The part of the runner's API that the commands use. */
interface Chain<T> {
    then<R>(next: (value: T) => R): Chain<R extends Chain<infer Inner> ? Inner : R>;
}
type Command = (...values: never[]) => unknown;
const runner = globalThis as unknown as {
    Cypress: {
        Commands: { add(name: string, command: Command): void };
        currentTest: { titlePath: string[] };
    };
    cy: { task<T>(name: keyof Tasks, argument: unknown, options?: { timeout: number }): Chain<T> };
    afterEach(hook: () => void): void;
};

const created: string[] = [];

function createMailbox({ label, ttl_seconds = TTL_SECONDS }: MailboxOptions = {}): Chain<Mailbox> {
    const title = label ?? runner.Cypress.currentTest.titlePath.join(" ");
    return runner.cy
        .task<Mailbox>("oneshot:createMailbox", { ttl_seconds, label: labelOf(title) })
        .then((mailbox) => {
            created.push(mailbox.id);
            return mailbox;
        });
}

function awaitEmail({ id }: Mailbox, { timeoutMs = DEFAULT_WAIT_MS }: WaitOptions = {}): Chain<Email> {
    const options = { timeout: timeoutMs + TASK_EXTRA_MS };
    return runner.cy
        .task<EmailContent>("oneshot:awaitEmail", { id, timeoutMs }, options)
        .then((content) => new Email(content));
}

function awaitCode(mailbox: Mailbox, options?: WaitOptions): Chain<string> {
    return awaitEmail(mailbox, options).then((email) => email.code()?.value ?? isMissing("code", email));
}

function awaitVerificationLink(mailbox: Mailbox, options?: WaitOptions): Chain<string> {
    return awaitEmail(mailbox, options).then(
        (email) => email.verificationLink()?.href ?? isMissing("verification link", email),
    );
}

for (const [name, command] of Object.entries({ createMailbox, awaitEmail, awaitCode, awaitVerificationLink })) {
    runner.Cypress.Commands.add(name, command);
}

runner.afterEach(() => {
    if (created.length > 0) runner.cy.task("oneshot:deleteMailboxes", created.splice(0));
});

/** What a label may be: 1 to 255 characters, no control characters. */
function labelOf(title: string): string {
    return [...title.replace(/\p{Cc}/gu, " ")].slice(0, 255).join("") || "a test without a title";
}

function isMissing(what: string, { from, subject }: Email): never {
    throw new Error(`there is no ${what} in the e-mail from ${from} with the subject ${subject.replace(/\p{Cc}/gu, " ")}`);
}
