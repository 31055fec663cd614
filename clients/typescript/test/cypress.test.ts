import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type Email, OneshotClient } from "oneshot-client";
import { type Mailbox, oneshotTasks, type Tasks } from "oneshot-client/cypress/tasks";
import { needs, settingOf } from "./settings.js";
import { sendMail } from "./smtp.js";

/** A stand-in of the runner: commands are promises, and what passes between page and Node is JSON. Cypress itself does not run. */
const commands: Record<string, (...values: unknown[]) => Promise<unknown>> = {};
const hooks: (() => void)[] = [];
const started: Promise<unknown>[] = [];

describe("commands for Cypress, on a stand-in of its API", needs("API", "KEY", "SMTP"), () => {
    const options = () => ({ baseUrl: settingOf("API"), apiKey: settingOf("KEY") });

    before(async () => {
        const tasks = oneshotTasks(options()) as unknown as Record<keyof Tasks, (value: unknown) => Promise<unknown>>;
        const task = (name: keyof Tasks, value: unknown, { timeout = 60_000 } = {}) => {
            const limit = new Promise((_, reject) => setTimeout(reject, timeout, new Error("task timed out")).unref());
            const run = async () => json(await tasks[name](json(value)));
            const running = Promise.race([run(), limit]);
            started.push(running);
            return running;
        };
        Object.assign(globalThis, {
            Cypress: {
                Commands: { add: (name: string, command: (typeof commands)[string]) => (commands[name] = command) },
                currentTest: { titlePath: ["Sign-up", "a new user\tconfirms"] },
            },
            cy: { task },
            afterEach: (hook: () => void) => hooks.push(hook),
        });
        await import("oneshot-client/cypress");
    });

    test("a mailbox receives, and is deleted after the test", async () => {
        const client = new OneshotClient(options());
        const mailbox = (await commands["createMailbox"]!()) as Mailbox;
        const other = (await commands["createMailbox"]!({ label: "other", ttl_seconds: 300 })) as Mailbox;
        assert.equal((await client.getAddress(mailbox)).label, "Sign-up a new user confirms");
        assert.equal((await client.getAddress(other)).label, "other");

        await sendMail(
            settingOf("SMTP"),
            mailbox.address,
            "From: no-reply@example.org\nSubject: Hi\n\nYour code is 482913. Verify: https://example.com/verify?t=1",
        );

        assert.equal(await commands["awaitCode"]!(mailbox, { timeoutMs: 60_000 }), "482913");
        assert.equal(await commands["awaitVerificationLink"]!(mailbox), "https://example.com/verify?t=1");
        const email = (await commands["awaitEmail"]!(mailbox)) as Email;
        assert.deepEqual([email.subject, email.code()?.value], ["Hi", "482913"]);
        await assert.rejects(commands["awaitEmail"]!(other, { timeoutMs: 0 }), /no e-mail at/);
        await client.deleteAddress(other);

        for (const hook of hooks) hook();
        await started.at(-1);
        await assert.rejects(client.getAddress(mailbox), { status: 404 });
    });

    test("an e-mail without a code or a link says so", async () => {
        const mailbox = (await commands["createMailbox"]!()) as Mailbox;
        await sendMail(settingOf("SMTP"), mailbox.address, "From: a@example.org\nSubject: Hi\n\nHello");

        await assert.rejects(
            commands["awaitCode"]!(mailbox),
            /there is no code in the e-mail from a@example\.org with the subject Hi/,
        );
        await assert.rejects(commands["awaitVerificationLink"]!(mailbox), /there is no verification link/);
        for (const hook of hooks) hook();
        await started.at(-1);
    });
});

function json(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value));
}
