/* What people see: both colour schemes, phone to wide screen, with a keyboard and with a screen reader. Pictures go to PICTURES. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deliver, expect, htmlMessage, logIn, mailBody, test } from "./stack.js";

const PICTURES = process.env["PICTURES"] ?? "build/pictures";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const LETTER =
    '<div style="font-family:Inter,system-ui,sans-serif;max-width:560px;margin:16px auto;color:#23312b"><div style="font-size:20px;font-weight:700;color:#205c46">juniper</div>' +
    '<h1 style="font-size:26px;line-height:1.2;margin:24px 0 12px">Welcome, Ada</h1><p style="font-size:16px;line-height:1.6">Enter this code to confirm your address. It is valid for ten minutes.</p>' +
    '<p style="font-size:34px;font-weight:700;letter-spacing:.18em;background:#eef5f0;border-radius:12px;padding:18px;text-align:center;margin:22px 0">482 913</p>' +
    '<p style="font-size:16px;line-height:1.6">Or use the button:</p><p><a href="https://juniper.example/confirm?token=9f3c2b7a1e5d4086" style="display:inline-block;background:#205c46;color:#fff;text-decoration:none;padding:13px 22px;border-radius:9px;font-weight:600">Confirm my address</a></p>' +
    '<p style="font-size:13px;color:#66746d;margin-top:28px">You did not sign up? <a href="https://juniper.example/report" style="color:#66746d">Tell us</a>.</p><img src="https://juniper.example/open.gif" width="1" height="1"></div>';

/** Addresses of all kinds. @param {import("./stack.js").Account} account */
async function fill(account) {
    await account.address({ label: "nightly", ttl_seconds: 7200 });
    await account.received(
        htmlMessage("<h1>The April edition</h1>", "The April edition: gardens, bicycles, and a quiet street"),
        { label: "newsletter", ttl_seconds: 3600 },
    );
    await account.received(
        "From: billing@harbor.example\nSubject: Your receipt for March\nContent-Type: application/pdf; name=receipt.pdf\n\nPDF",
        { label: "billing" },
    );
    await account.address({
        mode: "send",
        label: "welcome",
        send: {
            to: (await account.address({ label: "round-trip" })).address,
            subject: "Hello",
            text_body: "It works.",
        },
    });
    await account.request("POST", "/account/credits", { credits: 2500 });
    const waiting = await account.address({ label: "sign-up", ttl_seconds: 600 });
    const letter = await account.address({ label: "sign-up", ttl_seconds: 600 });
    await deliver(
        letter.address,
        htmlMessage(LETTER, "Confirm your e-mail address").replace(
            "Ada <ada@example.org>",
            "Juniper <no-reply@juniper.example>",
        ),
    );
    return { waiting, letter };
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    for (const [size, viewport] of Object.entries({
        wide: { width: 1600, height: 1000 },
        tablet: { width: 768, height: 1024 },
        phone: { width: 360, height: 740 },
    })) {
        test(`every view is accessible and fits: ${colorScheme}, ${size}`, async ({ browser, account }) => {
            const context = await browser.newContext({ colorScheme, viewport });
            const page = await context.newPage();
            const { waiting, letter } = await fill(account);
            /** @param {string} name */
            const look = async (name) => {
                await page.screenshot({ path: `${PICTURES}/${name}-${size}-${colorScheme}.png` });
                expect(
                    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
                    `${name} scrolls sideways`,
                ).toBeLessThanOrEqual(0);
                expect(await axe(page), name).toEqual([]);
            };

            await page.goto("./");
            await expect(page.getByLabel("API key")).toBeVisible();
            await look("log-in");
            await logIn(page, account);
            await expect(page.locator(".rows")).toContainText("Confirm your e-mail address");
            await look("addresses");
            await page.locator(".toolbar").getByRole("button", { name: "New address" }).click();
            await look("new-address");
            await page.keyboard.press("Escape");
            await page.evaluate((hash) => (location.hash = hash), `#/address/${waiting.id}`);
            await expect(page.getByRole("heading", { level: 1 })).toHaveText(waiting.address);
            await look("waiting");
            await page.evaluate((hash) => (location.hash = hash), `#/address/${letter.id}`);
            await expect(mailBody(page)).toContainText("Welcome, Ada");
            await expect(page.locator(".frame-links")).toBeVisible();
            await look("e-mail");
            await page.locator(".frame-links").getByRole("button", { name: "Confirm my address" }).click();
            await look("link");
            await page.keyboard.press("Escape");
            for (const tab of ["Text", /Links/, /Attachments/, "Headers", "Source"]) {
                await page.getByRole("tab", { name: tab }).click();
                await expect(page.getByRole("tabpanel")).not.toContainText("Loading");
                await look(`e-mail-${String(tab).toLowerCase().replace(/\W/g, "")}`);
            }
            await page.evaluate(() => (location.hash = "#/send"));
            await expect(page.getByRole("heading", { level: 1 })).toHaveText("Send an e-mail");
            await page.getByLabel("Attachments").setInputFiles([
                {
                    name: "a file with a name that is longer than most.txt",
                    mimeType: "text/plain",
                    buffer: Buffer.from("x"),
                },
            ]);
            await look("send");
            await page.evaluate(() => (location.hash = "#/account"));
            await expect(page.getByText("2,500")).toBeVisible();
            await look("account");
            await context.close();
        });
    }
}

test("everything works with the keyboard alone", async ({ page, account }) => {
    await page.goto("./");
    await page.keyboard.type(account.key);
    await page.keyboard.press("Enter");
    await expect(page.getByText("There are no addresses yet.")).toBeVisible();

    await reach(page, page.locator(".toolbar").getByRole("button", { name: "New address" }));
    await page.keyboard.press("Enter");
    await reach(page, page.getByLabel("Label (optional)"));
    await page.keyboard.type("keyboard");
    await page.keyboard.press("Enter");
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toBeFocused();
    await expect(heading).toHaveText(/@/);
    await deliver(
        (await heading.textContent()) ?? "",
        htmlMessage('<p>readable</p><a href="https://example.org/">A link</a>', "By keyboard"),
    );
    await expect(heading).toHaveText("By keyboard");

    await reach(page, page.getByRole("tab", { name: "HTML" }));
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("tab", { name: "Text" })).toBeFocused();
    await page.keyboard.press("End");
    await expect(page.getByRole("tab", { name: "Source" })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Home");
    await reach(page, page.locator(".frame-links").getByRole("button", { name: "A link" }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toContainText("https://example.org/");
    await page.keyboard.press("Escape");
    await expect(page.locator(".frame-links").getByRole("button", { name: "A link" })).toBeFocused();

    await page.locator("body").press("Home");
    await reach(page, page.getByRole("button", { name: "Delete now" }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog").getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByText("There are no addresses yet.")).toBeVisible();

    await reach(page, page.getByRole("button", { name: "Log out" }));
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("API key")).toBeFocused();
});

/** Presses Tab until an element has the focus. @param {import("@playwright/test").Page} page @param {import("@playwright/test").Locator} element */
async function reach(page, element) {
    await expect(element).toBeVisible();
    for (let presses = 0; presses < 80; presses++) {
        if (await element.evaluate((node) => node === document.activeElement)) return;
        await page.keyboard.press("Tab");
    }
    throw new Error(`the Tab key does not reach ${element}`);
}

/**
 * What axe-core finds that is serious or critical. It is run by the browser's debugger, past the page's policy.
 *
 * @param {import("@playwright/test").Page} page
 */
async function axe(page) {
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
    const { violations } = await page.evaluate(() =>
        /** @type {any} */ (window).axe.run(document, { iframes: false, preload: false, resultTypes: ["violations"] }),
    );
    return violations
        .filter((/** @type {any} */ { impact }) => impact === "serious" || impact === "critical")
        .map(
            (/** @type {any} */ { id, nodes }) =>
                `${id}: ${nodes.map((/** @type {any} */ { html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`,
        );
}
