/* The stack that the tests run on, from environment variables; ConsoleIT sets them. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { expect, test as base } from "@playwright/test";

/** @param {string} name */
export function setting(name) {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
}

/** An account of the stack, and the API as its owner uses it. */
export class Account {
    /** @param {string} key */
    constructor(key) {
        this.key = key;
    }

    /** @param {string} [plan] */
    static async create(plan = "scale") {
        const response = await fetch(`${setting("OPERATOR")}/accounts`, {
            method: "POST",
            headers: { Authorization: `Bearer ${setting("OPERATOR_TOKEN")}`, "Content-Type": "application/json" },
            body: JSON.stringify({ name: "Acme tests", plan }),
        });
        expect(response.status).toBe(201);
        return new Account((await response.json()).api_key);
    }

    /** @param {string} method @param {string} path @param {object} [body] */
    request(method, path, body) {
        return fetch(setting("API") + path, {
            method,
            headers: { Authorization: `Bearer ${this.key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
            ...(body ? { body: JSON.stringify(body) } : {}),
        });
    }

    /** @param {object} [body] @returns {Promise<{ id: string, address: string }>} */
    async address(body = {}) {
        const response = await this.request("POST", "/addresses", body);
        expect(response.status).toBe(201);
        return await response.json();
    }

    /**
     * A new address with an e-mail.
     *
     * @param {string} message lines end with LF
     * @param {object} [body]
     */
    async received(message, body) {
        const address = await this.address(body);
        await deliver(address.address, message);
        await expect
            .poll(async () => (await (await this.request("GET", `/addresses/${address.id}`)).json()).status, {
                timeout: 60_000,
            })
            .toBe("received");
        return address;
    }
}

/** Sends a mail over SMTP, as any mail server would. @param {string} to @param {string} message */
export async function deliver(to, message) {
    const { hostname, port } = new URL(setting("SMTP"));
    const socket = connect(Number(port), hostname);
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    /** @param {string | undefined} command @param {string} expected */
    const step = async (command, expected) => {
        if (command !== undefined) socket.write(`${command}\r\n`);
        for (;;) {
            const { value, done } = await lines.next();
            if (done || !value.startsWith(expected)) throw new Error(`${command?.slice(0, 80)} got ${value}`);
            if (value[3] !== "-") return;
        }
    };
    try {
        await once(socket, "connect");
        await step(undefined, "220");
        await step("EHLO client.example", "250");
        await step("MAIL FROM:<ada@example.org>", "250");
        await step(`RCPT TO:<${to}>`, "250");
        await step("DATA", "354");
        await step(`${message.replace(/\n\./g, "\n..").replace(/\n/g, "\r\n")}\r\n.`, "250");
        await step("QUIT", "221");
    } finally {
        socket.destroy();
    }
}

/** A message with an HTML body. @param {string} html @param {string} [subject] */
export function htmlMessage(html, subject = "HTML") {
    const body = Buffer.from(html).toString("base64").replace(/.{76}/g, "$&\n");
    return `From: Ada <ada@example.org>\nSubject: ${subject}\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${body}`;
}

/**
 * A server that records who asks for what.
 *
 * @typedef {{ url: string, connections: number, requests: { path: string, headers: import("node:http").IncomingHttpHeaders }[] }} Trap
 */

/** @type {import("@playwright/test").TestType<import("@playwright/test").PlaywrightTestArgs & import("@playwright/test").PlaywrightTestOptions & { account: Account, trap: Trap }, import("@playwright/test").PlaywrightWorkerArgs & import("@playwright/test").PlaywrightWorkerOptions>} */
export const test = base.extend({
    /** @type {any} */
    account: async ({}, /** @type {(account: Account) => Promise<void>} */ use) => use(await Account.create()),
    /** @type {any} */
    trap: async ({}, /** @type {(trap: Trap) => Promise<void>} */ use) => {
        /** @type {Trap} */
        const trap = { url: "", connections: 0, requests: [] };
        const pixel = Buffer.from("R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");
        const server = createServer((request, response) => {
            trap.requests.push({ path: request.url ?? "", headers: request.headers });
            response.writeHead(200, { "Content-Type": "image/gif" }).end(pixel);
        });
        // A preconnect is no request.
        server.on("connection", () => trap.connections++);
        await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
        const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
        trap.url = `http://127.0.0.1:${port}`;
        await use(trap);
        server.closeAllConnections();
        server.close();
    },
});

export { expect };

/**
 * Logs in.
 *
 * @param {import("@playwright/test").Page} page
 * @param {Account} account
 * @param {string} [path] as in `#/account`
 */
export async function logIn(page, account, path = "") {
    await page.goto(path || "./");
    await page.getByLabel("API key").fill(account.key);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
}

/** The document of an e-mail, which has no permission. @param {import("@playwright/test").Page} page */
export function mailBody(page) {
    return page.frameLocator(".mail-frame").frameLocator("iframe").locator("body");
}

/**
 * Everything that the page requests elsewhere, and every window and dialog it opens.
 *
 * @param {import("@playwright/test").Page} page
 */
export function watch(page) {
    const origin = new URL(setting("CONSOLE")).origin;
    /** @type {string[]} */
    const seen = [];
    page.context().on("request", async (request) => {
        if (/^(data|blob|about):/.test(request.url()) || new URL(request.url()).origin === origin) return;
        // What the policy blocks is reported as well, and never leaves the browser.
        const response = await request.response();
        if (response !== null || /^net::(?!ERR_ABORTED|ERR_BLOCKED)/.test(request.failure()?.errorText ?? ""))
            seen.push(`request ${request.url()}`);
    });
    page.context().on("page", (other) => seen.push(`window ${other.url()}`));
    page.on("dialog", (dialog) => {
        seen.push(`dialog ${dialog.message()}`);
        void dialog.dismiss();
    });
    page.on("pageerror", (error) => seen.push(`error ${error.message}`));
    page.on("download", (download) => seen.push(`download ${download.url()}`));
    page.on("framenavigated", (frame) => {
        if (frame === page.mainFrame() && !frame.url().startsWith(`${origin}/console/`))
            seen.push(`navigation ${frame.url()}`);
    });
    return seen;
}
