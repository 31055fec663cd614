import { setTimeout as delay } from "node:timers/promises";
import { Account, deliver, expect, logIn, mailBody, noticed, setting, test } from "./stack.js";

const CODE =
    "From: Juniper <no-reply@juniper.example>\nSubject: Confirm your address\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=m\n\n" +
    "--m\nContent-Type: multipart/alternative; boundary=a\n\n--a\nContent-Type: text/plain\n\nYour verification code is 482913.\n" +
    '--a\nContent-Type: text/html\n\n<h1>Welcome</h1><p>Your verification code is 482913.</p><a href="https://juniper.example/confirm?token=0123456789abcdef">Confirm my address</a>\n--a--\n' +
    "--m\nContent-Type: image/png; name=logo.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\n" +
    "--m\nContent-Type: image/png; name=broken.png\n\nno image\n--m\nContent-Type: text/html; name=page.html\n\n<script>alert(1)</script>\n--m--\n";

test("the key is in memory, and in the tab's storage only if asked for", async ({ page, account }) => {
    await page.goto("./");
    await page.getByLabel("API key").fill("oneshot_wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toHaveText("The API key is not valid.");

    await logIn(page, account);
    expect(
        await page.evaluate(() =>
            [location.href, document.cookie, JSON.stringify(sessionStorage), JSON.stringify(localStorage)].join(),
        ),
    ).not.toContain(account.key);
    expect(await page.content()).not.toContain(account.key);
    await page.reload();
    await expect(page.getByLabel("API key")).toBeVisible();

    await page.getByLabel("Keep it until this tab is closed").check();
    await page.getByLabel("API key").fill(account.key);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
    expect(
        await page.evaluate(() => [location.href, document.cookie, JSON.stringify(localStorage)].join()),
    ).not.toContain(account.key);
    await page.reload();
    await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();

    await page.getByRole("button", { name: "Log out" }).click();
    await expect(page.getByLabel("API key")).toHaveValue("");
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
});

test("an address is created, waits, and shows its e-mail by itself", async ({ page, account }) => {
    await logIn(page, account);
    await expect(page.getByText("There are no addresses yet.")).toBeVisible();
    await expect(page.locator(".empty code")).toContainText(`curl -s ${setting("API")}/addresses`);

    await page.locator(".toolbar").getByRole("button", { name: "New address" }).click();
    await page.getByLabel("Lifetime").selectOption({ label: "30 minutes" });
    await page.getByLabel("Label (optional)").fill("sign-up");
    await page.getByRole("button", { name: "Create", exact: true }).click();

    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toHaveText(/^[a-z2-7]{24}@/);
    await expect(heading).toBeFocused();
    await expect(page.locator(".detail .countdown")).toHaveText(/^(30|29) min/);
    await expect(page.locator(".rows li")).toContainText("Waiting for e-mail");
    const address = (await heading.textContent()) ?? "";
    await page.getByRole("button", { name: "Copy address" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);

    await deliver(address, CODE);

    await expect(heading).toHaveText("Confirm your address");
    await expect(page.locator(".rows li")).toContainText("Confirm your address");
    await expect(page.locator(".code strong")).toHaveText("482913");
    await page.getByRole("button", { name: "Copy code 482913" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("482913");
    await expect(mailBody(page)).toContainText("Your verification code is 482913.");

    await page.locator(".found").getByRole("button", { name: "juniper.example" }).click();
    await expect(page.getByRole("dialog")).toContainText("https://juniper.example/confirm?token=0123456789abcdef");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();

    const panel = page.getByRole("tabpanel");
    await page.getByRole("tab", { name: "Text" }).click();
    await expect(panel).toHaveText("Your verification code is 482913.");
    await page.getByRole("tab", { name: "Links (1)" }).click();
    await expect(panel).toContainText("https://juniper.example/confirm");
    await page.getByRole("tab", { name: "Headers" }).click();
    await expect(panel.getByRole("row", { name: /^Subject/ })).toContainText("Confirm your address");
    await page.getByRole("tab", { name: "Source" }).click();
    await expect(panel).toContainText("Content-Type: multipart/mixed; boundary=m");
    await page.getByRole("tab", { name: "Attachments (3)" }).click();
    await expect(panel.getByRole("img", { name: "Preview of logo.png" })).toBeVisible();
    await expect(panel.getByRole("img")).toHaveCount(1);
    const downloads = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download page.html" }).click();
    const download = await downloads;
    expect(download.suggestedFilename()).toBe("page.html");

    await page.getByRole("button", { name: "Delete now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await expect(heading).toHaveText("Confirm your address");
    await page.getByRole("button", { name: "Delete now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("There are no addresses yet.")).toBeVisible();
    expect((await account.request("GET", `/addresses/${address.split("@")[0]}`)).status).toBe(404);
});

test("the list notices addresses and e-mails that come from elsewhere, and filters", async ({ page, account }) => {
    await logIn(page, account);
    const rows = page.locator(".rows li");
    await expect(page.getByText("There are no addresses yet.")).toBeVisible();

    const waiting = await account.address({ label: "one" });
    await expect(rows).toHaveCount(1);
    await account.address({ label: "two" });
    await expect(rows).toHaveCount(2);
    await deliver(waiting.address, "From: ada@example.org\nSubject: Hello\n\nIt works.");
    await expect(rows.nth(1)).toContainText("Hello");
    await noticed(page, /New e-mail from ada@example\.org\./);

    await page.getByLabel("State").selectOption("received");
    await expect(rows).toHaveCount(1);
    await page.getByLabel("State").selectOption("");
    await page.getByLabel("Label").fill("two");
    await page.getByLabel("Label").press("Enter");
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("two");
    await page.getByLabel("Mode").selectOption("send");
    await expect(page.getByText("No address matches.")).toBeVisible();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(rows).toHaveCount(2);

    await account.request("DELETE", `/addresses/${waiting.id}`);
    await expect(rows).toHaveCount(1);
});

test("all addresses with a label are deleted, after a question", async ({ page, account }) => {
    await Promise.all(["nightly", "nightly", "nightly", "kept"].map((label) => account.address({ label })));
    await logIn(page, account);
    const rows = page.locator(".rows li");
    await expect(rows).toHaveCount(4);
    await expect(page.getByRole("button", { name: "Delete all with this label" })).toBeHidden();
    await page.getByLabel("Label").fill("nightly");
    await page.getByLabel("Label").press("Enter");
    await expect(rows).toHaveCount(3);

    await page.getByRole("button", { name: "Delete all with this label" }).dblclick();
    await expect(page.getByRole("dialog")).toContainText("All addresses labelled nightly (3 addresses)");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await expect(rows).toHaveCount(3);
    await page.getByRole("button", { name: "Delete all with this label" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete all" }).click();

    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("kept");
});

test("an e-mail with attachments is sent, and arrives", async ({ page, account }) => {
    const inbox = await account.address();
    await logIn(page, account, `#/address/${inbox.id}`);
    await page.getByRole("link", { name: "send one to it from here" }).click();
    await expect(page.getByLabel("To", { exact: true })).toHaveValue(inbox.address);
    await page.getByLabel("Subject").fill("Files");
    await page.getByLabel("Text", { exact: true }).fill("<p>See the files.</p>");
    await page.getByLabel("The text is HTML").check();

    const dropped = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["dropped"], "dropped.txt", { type: "text/plain" }));
        return transfer;
    });
    await page.dispatchEvent(".drop", "dragover", { dataTransfer: dropped });
    await page.dispatchEvent(".drop", "drop", { dataTransfer: dropped });
    await page.getByLabel("Attachments").setInputFiles([
        { name: "chosen.txt", mimeType: "text/plain", buffer: Buffer.from("chosen") },
        { name: "removed.txt", mimeType: "text/plain", buffer: Buffer.from("removed") },
    ]);
    await page.getByRole("button", { name: "Remove removed.txt" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();

    await expect(page.getByText(`Sent to ${inbox.address} from`)).toBeVisible();
    await page.evaluate((hash) => (location.hash = hash), `#/address/${inbox.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Files");
    await expect(mailBody(page)).toContainText("See the files.");
    await page.getByRole("tab", { name: "Attachments (2)" }).click();
    await expect(page.locator(".filename")).toHaveText(["dropped.txt", "chosen.txt"]);
});

test("an e-mail that is too large is rejected in plain words, and its form stays", async ({ page }) => {
    await logIn(page, await Account.create("free"), "#/send");
    await page.getByLabel("To", { exact: true }).fill("ada@example.org");
    const files = page.getByLabel("Attachments");
    for (const { number, words } of [
        { number: 3, words: "The e-mail must have at most 2.0 MiB of content on the plan free." },
        { number: 9, words: "The e-mail is larger than your plan allows." },
    ]) {
        await files.setInputFiles(
            Array.from({ length: number }, (_, n) => ({
                name: `${n}.bin`,
                mimeType: "application/octet-stream",
                buffer: Buffer.alloc(720_000),
            })),
        );
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await expect(page.getByRole("alert")).toHaveText(words);
    }
    await expect(page.locator(".filename")).toHaveCount(12);
});

test("a wrong recipient is said in the words of a person", async ({ page, account }) => {
    await logIn(page, account, "#/send");
    await page.getByLabel("To", { exact: true }).fill("nobody");
    await page.getByRole("button", { name: "Send", exact: true }).click();

    await expect(page.getByRole("alert")).toContainText("This is not a complete e-mail address.");
});

test("the account shows its usage, buys credits and replaces its key", async ({ page, account }) => {
    await account.address();
    await logIn(page, account, "#/account");
    await expect(page.getByText("1 of 1,000,000")).toBeVisible();
    await expect(page.getByText(/The cycle ends .+, in \d+ /)).toBeVisible();

    await page.getByRole("spinbutton", { name: "Credits" }).fill("250");
    await page.getByRole("button", { name: "Buy credits" }).click();
    await expect(page.getByRole("dialog")).toContainText("Buy 250 credits?");
    await page.getByRole("dialog").getByRole("button", { name: "Buy" }).click();
    await expect(page.getByText("250 credits are added.")).toBeVisible();
    expect((await (await account.request("GET", "/account")).json()).credits).toBe(250);

    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("button", { name: "Replace the key" }).click();
    const key = await page.getByRole("dialog").getByLabel("API key").inputValue();
    await page.getByRole("button", { name: "I have copied it" }).click();
    expect(key).toMatch(/^oneshot_/);
    // A dialog is removed after its event, which comes later.
    await expect.poll(() => page.content()).not.toContain(key);
    expect((await new Account(key).request("GET", "/account")).status).toBe(200);
    await expect.poll(async () => (await account.request("GET", "/account")).status).toBe(401);
    // The console goes on with the new key.
    await page.getByRole("link", { name: "Addresses", exact: true }).click();
    await new Account(key).address({ label: "after" });
    await expect(page.locator(".rows li").first()).toContainText("after");
});

test("a key that is replaced elsewhere ends the session", async ({ page, account }) => {
    await logIn(page, account);
    await page.locator(".toolbar").getByRole("button", { name: "New address" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();

    await account.request("POST", "/account/api-key");

    await expect(page.getByRole("alert")).toHaveText("The API key is not valid any more.");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(page.getByLabel("API key")).toBeVisible();
});

test("the rate limit is waited for, and a used-up allocation names the remedy", async ({ page }) => {
    const account = await Account.create("free");
    await logIn(page, account);
    await expect(page.getByText("There are no addresses yet.")).toBeVisible();
    // Until the console gets its share of 429, which does not spend the allocation.
    let isReached = false;
    const load = Promise.all(
        Array.from({ length: 20 }, async () => {
            while (!isReached) await (await account.request("GET", "/account")).arrayBuffer();
        }),
    );
    try {
        await noticed(page, /The rate limit is reached\. Continuing in \d+ s\./);
    } finally {
        isReached = true;
        await load;
    }
    const spend = async () => {
        for (;;) {
            const { status, headers } = await account.request("POST", "/addresses", { label: "free" });
            if (status === 402) return;
            if (status === 429) await delay(1000 * Number(headers.get("Retry-After")));
            else expect(status).toBe(201);
        }
    };
    await Promise.all(Array.from({ length: 10 }, spend));

    // A page has 50 addresses. Those that are created while it is shown come in addition.
    await expect(page.locator(".rows li").nth(49)).toBeVisible();
    await page.locator(".toolbar").getByRole("button", { name: "New address" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();

    const alert = page.getByRole("dialog").getByRole("alert");
    await expect(alert).toContainText("allocation is used up");
    await expect(alert.getByRole("link", { name: "See the plans" })).toHaveAttribute("rel", "noopener noreferrer");
    await alert.getByRole("link", { name: "Buy credits" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Account");
    await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("an address expires while it is open, and its e-mail leaves the page", async ({ page, account }) => {
    await logIn(page, account);
    const { id } = await account.received("From: ada@example.org\nSubject: Short-lived\n\nOnly for a minute.", {
        ttl_seconds: 60,
    });
    await page.evaluate((hash) => (location.hash = hash), `#/address/${id}`);
    await expect(page.getByRole("tabpanel")).toContainText("Only for a minute.");

    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This address has expired", { timeout: 180_000 });

    await expect.poll(() => page.content()).not.toContain("Only for a minute.");
    await expect.poll(() => page.content()).not.toContain("Short-lived");
    await expect(page.locator(".rows li")).toContainText("Expired");
    await page.getByRole("button", { name: "Remove from the list" }).click();
    await expect(page.locator(".rows li")).toHaveCount(0);
    await expect(page.getByText("There are no addresses yet.")).toBeVisible();
});

test("an address that does not exist says so", async ({ page, account }) => {
    await logIn(page, account, "#/address/aaaaaaaaaaaaaaaaaaaaaaaa");

    await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such address");
});

test("the API goes away and comes back", async ({ page, account, gate }) => {
    const { id, address } = await account.address();
    await logIn(page, account, `${gate.console}#/address/${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(address);

    gate.close();
    await expect(page.locator(".banner")).toContainText("The service cannot be reached.");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(address);
    await deliver(address, "From: ada@example.org\nSubject: Meanwhile\n\nNot seen yet.");
    gate.open();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Meanwhile");
    await expect(page.locator(".banner")).toBeHidden();

    // When it goes away again, no notice says that it is back.
    await page.evaluate(() => {
        const banner = /** @type {HTMLElement} */ (document.querySelector(".banner"));
        /** @type {any} */ (window).shownWithBanner = new Promise((resolve) =>
            new MutationObserver(() => resolve(document.getElementById("notices")?.textContent)).observe(banner, {
                attributeFilter: ["hidden"],
            }),
        );
    });
    gate.close();
    await page.getByRole("link", { name: "oneshot, addresses" }).click();
    expect(await page.evaluate(() => /** @type {any} */ (window).shownWithBanner)).not.toContain("is back");
});

test("what the service found of the sender is shown next to it, if it looked", async ({ page, account }) => {
    const { id, address } = await account.received(CODE);
    await logIn(page, account, `#/address/${id}`);
    await expect(page.locator(".code strong")).toHaveText("482913");
    await expect(page.locator(".facts")).not.toContainText("SPF");

    // The stack of these tests asks no DNS, so the field is added to the response.
    const ours = address.slice(address.indexOf("@") + 1);
    await page.route(`**/addresses/${id}/email`, async (route) => {
        const response = await route.fetch();
        const email = await response.json();
        email.headers["Authentication-Results"] =
            `${ours}; spf=pass smtp.mailfrom=juniper.example; dkim=none; dmarc=fail reason="no aligned pass" header.from=juniper.example`;
        await route.fulfill({ response, json: email });
    });
    await page.reload();
    await logIn(page, account, `#/address/${id}`);

    const facts = page.locator(".facts");
    await expect(facts.locator(".badge")).toHaveText(["SPF pass", "DKIM none", "DMARC fail"]);
    await expect(facts).toContainText("no aligned pass");
});
