import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test as base } from "oneshot-client/playwright";
import { settingOf } from "../settings.js";
import { sendMail } from "../smtp.js";

const HTML = { "Content-Type": "text/html; charset=utf-8" };

/** An application that mails a code to a new user, and also serves the client as modules of a page. */
async function application(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    if (pathname === "/sign-up") {
        const message = "From: Example <no-reply@example.org>\nSubject: Your code\n\nYour code is 482913.";
        await sendMail(settingOf("SMTP"), searchParams.get("email")!, message);
        response
            .writeHead(200, HTML)
            .end(`<form action="/confirm"><label>Code <input name="code"></label><button>Confirm</button></form>`);
    } else if (pathname === "/confirm") {
        response
            .writeHead(200, HTML)
            .end(searchParams.get("code") === "482913" ? "<h1>Welcome</h1>" : "<h1>Wrong code</h1>");
    } else if (/^\/client\/[a-z-]+\.js$/.test(pathname)) {
        const module = new URL(pathname.replace("/client/", "./"), import.meta.resolve("oneshot-client"));
        response.writeHead(200, { "Content-Type": "text/javascript" }).end(await readFile(fileURLToPath(module)));
    } else {
        response
            .writeHead(200, HTML)
            .end(`<form action="/sign-up"><label>E-mail <input name="email"></label><button>Sign up</button></form>`);
    }
}

const test = base.extend<{ application: string }>({
    application: async ({}, use) => {
        const server = createServer((request, response) => void application(request, response));
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
        server.closeAllConnections();
        server.close();
    },
});

test("a new user confirms the address", async ({ page, mailbox, application }) => {
    await page.goto(application);
    await page.getByLabel("E-mail").fill(mailbox.address);
    await page.getByRole("button", { name: "Sign up" }).click();

    const email = await mailbox.awaitEmail({ timeoutMs: 120_000 });
    await page.getByLabel("Code").fill(email.codes()[0]!.value);
    await page.getByRole("button", { name: "Confirm" }).click();

    await expect(page.getByRole("heading")).toHaveText("Welcome");
});

test("the client works in a page of another origin", async ({ page, application }) => {
    await page.goto(application);
    const options = { baseUrl: settingOf("API"), apiKey: settingOf("KEY") };

    const seen = await page.evaluate(async (options) => {
        const { OneshotClient, fileToSend } = (await import(
            "/client/index.js" as string
        )) as typeof import("oneshot-client");
        const client = new OneshotClient(options);
        const inbox = await client.createAddress({ ttl_seconds: 600 });
        const attachments = [fileToSend("a.txt", "text/plain", new TextEncoder().encode("attached"))];
        await client.sendEmail({ to: inbox.address, subject: "Hello", text_body: "Your code is 482913.", attachments });
        const email = await client.awaitEmail(inbox, { timeoutMs: 120_000 });
        const attachment = await new Response(await client.getAttachment(inbox, 0)).text();
        const raw = await new Response(await client.getRawEmail(inbox)).text();
        await client.deleteAddress(inbox);
        const failure = await client.getAddress(inbox).catch((error: { code: string; requestId: string }) => error);
        return {
            codes: email.codes().map((code) => code.value),
            attachment,
            isWhole: raw.length >= email.size_bytes,
            failure: "code" in failure ? [failure.code, typeof failure.requestId] : failure,
        };
    }, options);

    expect(seen).toEqual({
        codes: ["482913"],
        attachment: "attached",
        isWhole: true,
        failure: ["NOT_FOUND", "string"],
    });
});
