import { expect, test } from "oneshot-client/playwright";
import { settingOf } from "../settings.js";
import { sendMail } from "../smtp.js";

const LETTER = "From: Example <no-reply@example.org>\nSubject: Your code\n\nYour code is 482913.";

test("a mailbox receives", async ({ mailbox, oneshot }) => {
    expect((await oneshot.getAddress(mailbox)).label).toBe("a mailbox receives");

    await sendMail(settingOf("SMTP"), mailbox.address, LETTER);

    expect(await mailbox.awaitCode({ timeoutMs: 120_000 })).toBe("482913");
    await expect(mailbox.awaitVerificationLink()).rejects.toThrow(
        "there is no verification link in the e-mail from no-reply@example.org with the subject Your code",
    );
});

test("a test may delete its address", async ({ mailbox, oneshot }) => {
    await oneshot.deleteAddress(mailbox);
});

test(`a title ${"too long ".repeat(40)}with\tcontrol characters`, async ({ mailbox, oneshot }) => {
    const { label } = await oneshot.getAddress(mailbox);

    expect(label).toHaveLength(255);
    expect(label).toMatch(/^a title too long /);
});

test("fails with an e-mail", async ({ mailbox }) => {
    await sendMail(settingOf("SMTP"), mailbox.address, LETTER);
    await mailbox.awaitEmail({ timeoutMs: 120_000 });

    expect("what is").toBe("what should be");
});

test("fails without an e-mail", async ({ mailbox }) => {
    await mailbox.awaitEmail({ timeoutMs: 100 });
});
