import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { ApiError, AwaitTimeoutError, fileToSend, NotFoundError, OneshotClient } from "oneshot-client";
import { needs, settingOf } from "./settings.js";
import { sendMail } from "./smtp.js";

const SIGN_UP = `From: Example <no-reply@example.org>
Subject: Confirm your address
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/html; charset=utf-8

<p>Your verification code is <b>482913</b>.</p>
<p>Or <a href="https://example.org/confirm?token=Zk3x9QpL2mN8vB4t">confirm your address</a>.</p>
--x
Content-Type: application/json
Content-Disposition: attachment; filename="a b.json"
Content-Transfer-Encoding: base64

eyJhIjoxfQ==
--x--`;

describe("the packaged stack", needs("API", "KEY", "SMTP"), () => {
    const client = () => new OneshotClient({ baseUrl: settingOf("API"), apiKey: settingOf("KEY") });

    test("a sign-up: create, trigger, await, code, link, downloads, delete", async () => {
        const inbox = await client().createAddress({ ttl_seconds: 600, label: "sign-up" });
        assert.equal((await client().getAddress(inbox)).status, "waiting");

        const waiting = client().awaitEmail(inbox, { timeoutMs: 120_000 });
        await sendMail(settingOf("SMTP"), inbox.address, SIGN_UP);
        const email = await waiting;

        assert.equal(email.from, "no-reply@example.org");
        assert.equal(email.to, inbox.address);
        assert.deepEqual(
            email.codes().map((code) => code.value),
            ["482913"],
        );
        assert.equal(email.verificationLink()?.href, "https://example.org/confirm?token=Zk3x9QpL2mN8vB4t");
        assert.deepEqual(
            email.attachments.map((attachment) => attachment.filename),
            ["a b.json"],
        );
        const raw = await new Response(await client().getRawEmail(inbox)).arrayBuffer();
        assert.equal(raw.byteLength, email.size_bytes);
        assert.ok(Buffer.from(raw).toString().endsWith("--x--\r\n"));
        assert.deepEqual(await new Response(await client().getAttachment(inbox, 0)).json(), { a: 1 });
        await assert.rejects(client().getAttachment(inbox, 1), NotFoundError);

        const { status, email: summary } = await client().getAddress(inbox);
        assert.deepEqual(
            [status, summary?.subject, summary?.attachment_count],
            ["received", "Confirm your address", 1],
        );
        await client().deleteAddress(inbox);
        await assert.rejects(client().getEmail(inbox), NotFoundError);
        await assert.rejects(client().deleteAddress(inbox), NotFoundError);
    });

    test("an e-mail from one address to another", async () => {
        const inbox = await client().createAddress();
        const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) & 255);

        const sent = await client().sendEmail(
            {
                to: inbox.address,
                subject: "Grüße 🚀",
                text_body: "Hello",
                attachments: [fileToSend("a.bin", "application/octet-stream", bytes)],
            },
            { ttl_seconds: 600 },
        );
        const email = await client().awaitEmail(inbox, { timeoutMs: 120_000 });

        assert.deepEqual([sent.mode, sent.status, sent.send_to], ["send", "sent", inbox.address]);
        assert.deepEqual([email.from, email.subject, email.text_body.trim()], [sent.address, "Grüße 🚀", "Hello"]);
        assert.deepEqual(
            new Uint8Array(await new Response(await client().getAttachment(inbox, 0)).arrayBuffer()),
            bytes,
        );
        await assert.rejects(client().awaitEmail(sent), TypeError);
    });

    test("a list over several pages, and a delete by label", async () => {
        const label = `list ${randomUUID()} & more`;
        const ids: string[] = [];
        for (let i = 0; i < 5; i++) ids.unshift((await client().createAddress({ label })).id);

        const listed = async () => {
            const found: string[] = [];
            for await (const { id } of client().listAddresses({ label, mode: "receive", status: "waiting", limit: 2 }))
                found.push(id);
            return found;
        };

        assert.deepEqual(await listed(), ids);
        await client().deleteAddressesByLabel(label);
        assert.deepEqual(await listed(), []);
    });

    test("a create with the same key makes one address", async () => {
        const idempotencyKey = randomUUID();

        const [first, second] = await Promise.all([
            client().createAddress({}, { idempotencyKey }),
            client().createAddress({}, { idempotencyKey }),
        ]);

        assert.deepEqual(first, second);
    });

    test("the account and its credits", async () => {
        const before = await client().getAccount();
        assert.ok(before.limits.max_ttl_seconds >= 3600);

        const { credits_added, credits } = await client().buyCredits(7);

        assert.deepEqual([credits_added, credits], [7, before.credits + 7]);
    });

    test("errors of the service", async () => {
        await assert.rejects(client().createAddress({ ttl_seconds: 59 }), (error) => {
            assert.ok(error instanceof ApiError);
            assert.deepEqual([error.status, error.code], [400, "VALIDATION_ERROR"]);
            assert.equal(error.errorMessage, "ttl_seconds must be between 60 and 86400");
            assert.ok(error.requestId);
            return true;
        });
        const stranger = new OneshotClient({ baseUrl: settingOf("API"), apiKey: "oneshot_unknown" });
        await assert.rejects(stranger.getAccount(), { status: 401, code: "UNAUTHORIZED" });
    });

    test("no e-mail in time", async () => {
        const inbox = await client().createAddress();

        await assert.rejects(client().awaitEmail(inbox, { timeoutMs: 1_000 }), AwaitTimeoutError);
    });

    test("a replaced key", needs("KEY_TO_REPLACE"), async () => {
        const old = settingOf("KEY_TO_REPLACE");
        const rotating = new OneshotClient({ baseUrl: settingOf("API"), apiKey: old });

        const key = await rotating.replaceApiKey();

        assert.notEqual(key, old);
        assert.ok(await rotating.getAccount());
        await assert.rejects(new OneshotClient({ baseUrl: settingOf("API"), apiKey: old }).getAccount(), {
            status: 401,
        });
    });
});
