/* The stack that the tests run on, from environment variables; ConsoleIT sets them. */
import { createServer } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { pipeline } from "node:stream";
import { expect, test as base } from "@playwright/test";
import { sendMail } from "../../clients/typescript/test/smtp.js";

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

/** Sends a mail. @param {string} to @param {string} message */
export function deliver(to, message) {
    return sendMail(setting("SMTP"), to, message);
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

/**
 * A way to the API that a test closes and opens again.
 *
 * @typedef {{ console: string, open: () => void, close: () => void }} Gate
 */

/** @type {import("@playwright/test").TestType<import("@playwright/test").PlaywrightTestArgs & import("@playwright/test").PlaywrightTestOptions & { account: Account, trap: Trap, gate: Gate }, import("@playwright/test").PlaywrightWorkerArgs & import("@playwright/test").PlaywrightWorkerOptions>} */
export const test = base.extend({
    /** @type {any} */
    page: async (/** @type {any} */ { page }, /** @type {(page: import("@playwright/test").Page) => Promise<void>} */ use) => {
        await page.addInitScript(() => {
            if (window !== top) return;
            /** @type {string[]} */
            const notices = [];
            Object.assign(window, { notices });
            new MutationObserver((mutations) => {
                for (const { target, addedNodes } of mutations)
                    if (target instanceof Element && target.id === "notices")
                        addedNodes.forEach(({ textContent }) => notices.push(textContent ?? ""));
            }).observe(document, { childList: true, subtree: true });
        });
        await use(page);
    },
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
    /** @type {any} */
    gate: async ({}, /** @type {(gate: Gate) => Promise<void>} */ use) => {
        const api = new URL(setting("API"));
        /** @type {Set<import("node:net").Socket>} */
        const sockets = new Set();
        // The port stays taken while the way is closed: another program may take a free one.
        let isOpen = true;
        const server = createTcpServer((client) => {
            if (!isOpen) {
                client.destroy();
                return;
            }
            const service = connect(Number(api.port), api.hostname);
            sockets.add(client).add(service);
            pipeline(client, service, () => service.destroy());
            pipeline(service, client, () => client.destroy());
        });
        await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
        const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
        await use({
            console: `http://127.0.0.1:${port}/console/`,
            open: () => void (isOpen = true),
            close: () => {
                isOpen = false;
                sockets.forEach((socket) => socket.destroy());
            },
        });
        server.close();
        sockets.forEach((socket) => socket.destroy());
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

/**
 * Waits until a notice was shown. It may be gone before a busy machine looks for it.
 *
 * @param {import("@playwright/test").Page} page
 * @param {RegExp} text
 */
export async function noticed(page, text) {
    await expect
        .poll(() => page.evaluate(() => /** @type {any} */ (window).notices.join("\n")), { timeout: 60_000 })
        .toMatch(text);
}

/**
 * Records what can be clicked and moves while it is shown: a click on it may be lost. Nothing may be scrolled during that time.
 *
 * @param {import("@playwright/test").Page} page
 * @returns {Promise<() => Promise<string[]>>}
 */
export async function watchMoves(page) {
    await page.evaluate(() => {
        /** @type {string[]} */
        const moves = [];
        /** @type {Map<Element, string>} */
        const places = new Map();
        const look = () => {
            for (const element of document.querySelectorAll("button, a, summary")) {
                const { left, top } = element.getBoundingClientRect();
                const isShown = element.checkVisibility({ visibilityProperty: true });
                const place = isShown ? `${Math.round(left)},${Math.round(top)}` : "";
                const before = places.get(element) ?? "";
                if (before !== "" && place !== "" && before !== place)
                    moves.push(`"${element.textContent}" from ${before} to ${place}`);
                places.set(element, place);
            }
            requestAnimationFrame(look);
        };
        look();
        Object.assign(window, { moves });
    });
    return () => page.evaluate(() => /** @type {any} */ (window).moves);
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
