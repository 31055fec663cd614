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

test("several mailboxes", async ({ mailbox, createMailbox, oneshot }) => {
    const admin = await createMailbox({ label: "admin", ttl_seconds: 300 });
    const other = await createMailbox();

    expect(new Set([mailbox.id, admin.id, other.id]).size).toBe(3);
    expect((await oneshot.getAddress(admin)).label).toBe("admin");
    expect((await oneshot.getAddress(other)).label).toBe("several mailboxes");
    await sendMail(settingOf("SMTP"), admin.address, LETTER);
    expect(await admin.awaitCode({ timeoutMs: 120_000 })).toBe("482913");
    await other.awaitNone({ timeoutMs: 0 });
    await expect(admin.awaitNone({ timeoutMs: 60_000 })).rejects.toThrow(
        "there is an e-mail from no-reply@example.org with the subject Your code where none was expected",
    );
});

const LETTER_WITH_HTML = `From: Example <no-reply@example.org>
Subject: Your code
Content-Type: multipart/alternative; boundary=b

--b

Your code is 482913.
--b
Content-Type: text/html

<p>Your code is <b>482913</b>.</p>
--b--`;

test("fails with an e-mail", async ({ mailbox }) => {
    await sendMail(settingOf("SMTP"), mailbox.address, LETTER_WITH_HTML);
    await mailbox.awaitEmail({ timeoutMs: 120_000 });

    expect("what is").toBe("what should be");
});

test("fails without an e-mail", async ({ mailbox }) => {
    await mailbox.awaitEmail({ timeoutMs: 100 });
});

test.describe("kept", () => {
    test.use({ keepMailOnFailure: true });

    test("fails and keeps", async ({ mailbox }) => {
        expect(mailbox.address).toBe("what should be");
    });
});
