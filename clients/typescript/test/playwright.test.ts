import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { describe, test } from "node:test";
import type { JSONReport, JSONReportTestResult } from "@playwright/test/reporter";
import { OneshotClient } from "oneshot-client";
import { needs, settingOf, settings } from "./settings.js";

describe("Playwright", needs("API", "KEY", "SMTP"), () => {
    test("each test has a mailbox, which is deleted after it", async () => {
        const results = await playwright("mailbox");

        assert.deepEqual(
            [...results].map(([title, { status }]) => [title.replace(/(too long )+/, "too long "), status]),
            [
                ["a mailbox receives", "passed"],
                ["a test may delete its address", "passed"],
                ["a title too long with\tcontrol characters", "passed"],
                ["several mailboxes", "passed"],
                ["fails with an e-mail", "failed"],
                ["fails without an e-mail", "failed"],
                ["fails and keeps", "failed"],
            ],
        );
        const withEmail = summaryOf(results.get("fails with an e-mail"));
        assert.match(
            withEmail,
            /@\S+ has an e-mail\n {2}from no-reply@example\.org\n {2}subject Your code\n {2}received at .*, \d+ bytes, 0 attachments\n {4}Your code is 482913\.$/,
        );
        const [text, html, raw] = results.get("fails with an e-mail")!.attachments;
        assert.deepEqual(
            [text, html, raw].map((attachment) => [attachment?.name.replace(/^\S+@\S+: /, ""), attachment?.contentType]),
            [
                ["text", "text/plain"],
                ["HTML", "text/html"],
                ["raw", "message/rfc822"],
            ],
        );
        assert.equal(contentOf(text).trim(), "Your code is 482913.");
        assert.equal(contentOf(html).trim(), "<p>Your code is <b>482913</b>.</p>");
        assert.match(contentOf(raw), /^Return-Path: .*boundary=b\r\n.*--b--\r\n$/s);
        const [wait] = results.get("a mailbox receives")!.steps ?? [];
        assert.match(wait!.title, /^Await code at \S+@\S+$/);
        assert.match(summaryOf(results.get("fails without an e-mail")), /@\S+ is waiting, without an e-mail$/);
        assert.deepEqual(results.get("a mailbox receives")!.attachments, []);
        const client = new OneshotClient({ baseUrl: settingOf("API"), apiKey: settingOf("KEY") });
        for await (const address of client.listAddresses({ label: "fails and keeps" })) {
            await client.deleteAddress(address);
            results.delete("fails and keeps");
        }
        assert.ok(!results.has("fails and keeps"));
        for (const title of [...results.keys(), "admin"]) {
            const label = [...title.replace("\t", " ")].slice(0, 255).join("");
            for await (const address of client.listAddresses({ label }))
                assert.fail(`${address.address} of "${title}" is left`);
        }
    });

    test("a browser signs up, and the client works in a page", needs("CHROMIUM"), async () => {
        const results = await playwright("browser");

        assert.equal(results.size, 2);
        assertPassed(results);
    });

    test("the example of the documentation works", needs("CHROMIUM"), async () => {
        const [, example] = /```ts\n(.*?)```/s.exec(await readFile(settings.README, "utf8"))!;
        await mkdir("build/playwright", { recursive: true });
        await writeFile("build/playwright/example.spec.ts", example!);

        const results = await playwright("example");

        assert.equal(results.size, 1);
        assertPassed(results);
    });
});

/** Runs the tests of a file, and returns the result of each by its title. */
async function playwright(file: string): Promise<Map<string, JSONReportTestResult>> {
    const program = [
        "node_modules/@playwright/test/cli.js",
        "test",
        "-c",
        "build/playwright",
        "--reporter=json",
        `${file}.spec`,
    ];
    const output = await new Promise<string>((resolve) => {
        execFile(process.execPath, program, { maxBuffer: 1 << 26 }, (_, stdout) => resolve(stdout));
    });
    const { suites, errors } = JSON.parse(output.slice(output.indexOf('{\n  "config"'))) as JSONReport;
    assert.deepEqual(errors, []);
    const specs = suites.flatMap((suite) => [suite, ...(suite.suites ?? [])]).flatMap((suite) => suite.specs);
    return new Map(specs.map((spec) => [spec.title, spec.tests[0]!.results[0]!]));
}

/** What the fixture attached, which it also printed. */
function summaryOf(result: JSONReportTestResult | undefined): string {
    const summary = contentOf(result!.attachments.find(({ name }) => name === "e-mail of the mailbox"));
    const printed = result!.stdout.map((entry) => ("text" in entry ? entry.text : "")).join("");
    assert.ok(printed.includes(summary), printed);
    return summary;
}

function contentOf(attachment: JSONReportTestResult["attachments"][number] | undefined): string {
    return Buffer.from(attachment!.body!, "base64").toString();
}

function assertPassed(results: Map<string, JSONReportTestResult>): void {
    for (const [title, { status, error }] of results) assert.equal(status, "passed", `${title}: ${error?.stack}`);
}
