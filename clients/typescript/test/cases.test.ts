import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { Email } from "oneshot-client";
import { settings } from "./settings.js";

interface Case {
    name: string;
    subject?: string;
    text?: string;
    html?: string;
    content_type?: string;
}

function read<T>(file: string): (Case & T)[] {
    return JSON.parse(readFileSync(`${settings.CASES}/${file}`, "utf8")) as (Case & T)[];
}

function emailOf({ subject = "", text = "", html = "", content_type }: Case): Email {
    const received_at = "2026-01-31T12:00:05Z";
    return new Email({
        from: "",
        to: "",
        subject,
        text_body: text,
        html_body: html,
        headers: content_type === undefined ? {} : { "content-type": content_type },
        received_at,
        size_bytes: 0,
        attachments: [],
    });
}

for (const expected of read<{ codes: string[] }>("codes.json")) {
    test(`codes: ${expected.name}`, () => {
        const codes = emailOf(expected).codes();

        assert.deepEqual(
            codes.map((code) => code.value),
            expected.codes,
            JSON.stringify(codes),
        );
    });
}

for (const expected of read<{
    to: string;
    fields: string;
    spf: string | null;
    dkim: string;
    dmarc: string;
    results: unknown;
}>("authentication.json")) {
    test(`authentication: ${expected.name}`, () => {
        const { to, fields, spf, dkim, dmarc, results } = expected;
        const email = new Email({ ...emailOf(expected), to, headers: { "authentication-Results": fields } });

        assert.deepEqual(email.authentication(), spf === null ? undefined : { spf, dkim, dmarc, results });
        assert.equal(email.authentication("unknown.example"), undefined);
    });
}

for (const expected of read<{ links: unknown; verification_link: string | null }>("links.json")) {
    test(`links: ${expected.name}`, () => {
        const email = emailOf(expected);

        assert.deepEqual(email.links(), expected.links);
        assert.equal(email.verificationLink()?.href ?? null, expected.verification_link);
    });
}

test("of two codes that are equally likely none is guessed", () => {
    const email = emailOf({ name: "", text: "Login code: 482913\nPayment code: 775120" });

    assert.deepEqual(
        email.codes().map((code) => code.value),
        ["482913", "775120"],
    );
    assert.throws(() => email.code(), /equally likely: 482913, 775120/);
    assert.equal(emailOf({ name: "", text: "Your code is 482913." }).code()?.value, "482913");
    assert.equal(emailOf({ name: "", text: "Hello" }).code(), undefined);
});

test("the vocabulary is generated from words.txt", () => {
    const lines = readFileSync(`${settings.CASES}/words.txt`, "utf8")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("# "));

    assert.ok(
        readFileSync("src/vocabulary.ts", "utf8").endsWith(
            `= [\n${lines.map((line) => `    ${JSON.stringify(line)},\n`).join("")}];\n`,
        ),
        "run npm run vocabulary",
    );
});

test("an e-mail without sense is read in one pass", async () => {
    const reader = new Worker(
        `const { workerData, parentPort } = require("node:worker_threads");
    import("oneshot-client").then(({ Email }) => {
      for (const part of workerData) {
        const body = part.repeat(200_000 / part.length);
        const headers = { "Content-Type": "text/plain; format=flowed; delsp=yes" };
        const email = new Email({ subject: "code", text_body: body, html_body: body, headers });
        email.codes();
        email.verificationLink();
      }
      parentPort.postMessage("read");
    });`,
        { eval: true, workerData: read<string>("repetitions.json") },
    );
    // Seconds, if it is one pass; minutes otherwise.
    const limit = setTimeout(() => void reader.terminate(), 60_000);
    const [message] = await Promise.race([once(reader, "message"), once(reader, "exit")]);
    clearTimeout(limit);

    assert.equal(message, "read");
});
