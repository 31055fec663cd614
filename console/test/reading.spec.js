/* Mail as its sender meant it, and nothing lost of what the reader typed or was given. */
import {
    Account,
    deliver,
    expect,
    htmlMessage,
    logIn,
    mailBody,
    noticed,
    setting,
    test,
    watchMoves,
} from "./stack.js";

/** An image that never rests. */
const MOVING = encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"><animate attributeName="x" to="9" dur="1s" repeatCount="indefinite"/></rect></svg>',
).replaceAll("'", "%27");
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** @param {import("@playwright/test").Page} page @param {string} hash */
const open = (page, hash) => page.evaluate((to) => (location.hash = to), hash);

test("a mail is light by default, whatever the device prefers, and dark on demand", async ({ browser, account }) => {
    const { id } = await account.received(
        htmlMessage(
            "<style>:root{color-scheme:light dark}@supports (color:red){@media screen and (prefers-color-scheme:dark){p{color:#fff}}}</style>" +
                '<style media="(prefers-color-scheme: dark)">p{background:#010203}</style>' +
                '<body bgcolor="#fafafa" text="#123456" style="color-scheme:dark!important"><p>readable</p><a href="https://example.org/">link</a>',
            "dark",
        ),
    );
    const page = await (await browser.newContext({ colorScheme: "dark" })).newPage();
    await logIn(page, account, `#/address/${id}`);
    const text = mailBody(page).locator("p");

    await expect(text).toHaveCSS("color", "rgb(18, 52, 86)");
    await expect(text).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    await expect(mailBody(page)).toHaveCSS("color-scheme", "light only");
    await expect(mailBody(page).locator("a")).toHaveCSS("color", "rgb(11, 87, 208)");
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    await expect(text).toHaveCSS("color", "rgb(255, 255, 255)");
    await expect(text).toHaveCSS("background-color", "rgb(1, 2, 3)");
    await expect(mailBody(page).locator("a")).toHaveCSS("color", "rgb(138, 180, 248)");
    await page.context().close();
});

/** Ways to ask for the scheme of the device. Each one makes the text of an element white in the dark. @type {Record<string, string>} */
const SCHEMES = {
    rule: "@media (prefers-color-scheme:dark){#ID{color:#fff}}",
    "escaped rule": "@media (prefers-color-scheme:\\64 ark){#ID{color:#fff}}",
    negation: "@media not (prefers-color-scheme:light){#ID{color:#fff}}",
    "rule in a rule": "#ID{@media (prefers-color-scheme:dark){color:#fff}}",
    layer: "@layer a{@media (prefers-color-scheme:dark){#ID{color:#fff!important}}}",
    condition: "#ID{color:if(media(prefers-color-scheme:dark):#fff;else:rgb(1, 1, 1))}",
    "escaped condition": "#ID{color:if(media(prefers-color-scheme:\\64 ark):#fff;else:rgb(1, 1, 1))}",
    "condition of a property": "#ID{--x:if(media(prefers-color-scheme:dark):#fff;else:rgb(1, 1, 1));color:var(--x)}",
    "query with a name": "@custom-media --dark (prefers-color-scheme:dark);@media (--dark){#ID{color:#fff}}",
    function: "@function --f(){result:rgb(1, 1, 1);@media (prefers-color-scheme:dark){result:#fff}}#ID{color:--f()}",
};

test("no mail asks for the scheme of the device, however it writes that", async ({ browser, account }) => {
    const sheets = Object.values(SCHEMES).map((css, n) => `<style>${css.replaceAll("ID", `sheet${n}`)}</style><p id="sheet${n}">x</p>`);
    const media = ["(prefers-color-scheme:\\64 ark)", "(prefers-color-scheme/**/:/**/dark)", "not all and (prefers-color-scheme: light)"];
    const attributes = media.map((query, n) => `<style media="${query}">#media${n}{color:#fff}</style><p id="media${n}">x</p>`);
    const inline = '<p id="inline" style="color:if(media(prefers-color-scheme:dark):#fff;else:rgb(1, 1, 1))">x</p>';
    const { id } = await account.received(
        htmlMessage(`<style>p{color:rgb(1, 1, 1)}</style>${sheets.join("")}${attributes.join("")}${inline}`, "schemes"),
    );
    const page = await (await browser.newContext({ colorScheme: "dark" })).newPage();
    await logIn(page, account, `#/address/${id}`);
    const colors = () => mailBody(page).locator("p").evaluateAll((all) => all.map((each) => [each.id, getComputedStyle(each).color]));

    await expect(mailBody(page).locator("#inline")).toBeVisible();
    expect((await colors()).filter(([, color]) => color !== "rgb(1, 1, 1)")).toEqual([]);
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    for (const name of ["#sheet0", "#sheet1", "#sheet2", "#sheet3", "#sheet4", "#media0", "#media1", "#media2"])
        await expect(mailBody(page).locator(name), name).toHaveCSS("color", "rgb(255, 255, 255)");
    await page.context().close();
});

test("a mail without dark colours of its own is inverted in the dark, but for its images", async ({ page, account }) => {
    const { id } = await account.received(
        htmlMessage(
            `<table bgcolor="#ffffff"><tr><td><p>readable</p><img src="data:image/png;base64,${PIXEL}"><img src="https://juniper.example/a.png" alt="Not loaded"></table>`,
            "light",
        ),
    );
    await logIn(page, account, `#/address/${id}`);
    await expect(mailBody(page)).toContainText("readable");
    const frame = page.frameLocator(".mail-frame").locator("iframe");
    await expect(frame).toHaveCSS("filter", "none");

    await page.getByRole("button", { name: "Dark", exact: true }).click();

    await expect(frame).toHaveCSS("filter", "invert(1) hue-rotate(180deg)");
    // Else the white behind it would show through, under text that is white then.
    await expect(frame).toHaveCSS("background-color", "rgb(255, 255, 255)");
    await expect(mailBody(page).locator("p")).toHaveCSS("color", "rgb(28, 27, 25)");
    await expect(mailBody(page).locator("img").first()).toHaveCSS("filter", "invert(1) hue-rotate(180deg)");
    // Of an image that is not loaded, the text is read.
    await expect(mailBody(page).locator("img").last()).toHaveCSS("filter", "none");
});

test("the direction and the background of a whole mail are kept", async ({ page, account }) => {
    const html = '<html dir="rtl" class="a" onclick="alert(1)" style="background:#010203;color-scheme:dark">';
    const { id } = await account.received(
        htmlMessage(`${html}<style>html.a p{height:3000px}</style><body><p>\u05e9\u05dc\u05d5\u05dd</p>`, "rtl"),
    );
    const text = await account.received(
        "From: ada@example.org\nSubject: text\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n\u05e9\u05dc\u05d5\u05dd",
    );
    await logIn(page, account, `#/address/${id}`);
    const root = page.frameLocator(".mail-frame").frameLocator("iframe").locator("html");

    await expect(root).toHaveCSS("direction", "rtl");
    await expect(root).toHaveCSS("background-color", "rgb(1, 2, 3)");
    await expect(root).toHaveCSS("color-scheme", "light only");
    await expect(root).not.toHaveAttribute("onclick");
    // Its class counts also where the mail is measured.
    await expect.poll(() => page.locator(".mail-frame").evaluate((frame) => frame.clientHeight)).toBeGreaterThan(3000);

    await open(page, `#/address/${text.id}`);
    await expect(page.locator(".panel .text")).toHaveCSS("unicode-bidi", "plaintext");
});

test("a printed mail has its subject, code, link and text, and no controls", async ({ page, account }) => {
    const html = '<p>Your code is 482913.</p><a href="https://juniper.example/confirm?token=9f3c2b7a1e5d4086">Confirm</a>';
    const { id } = await account.received(htmlMessage(html, "To print"));
    await logIn(page, account, `#/address/${id}`);
    await expect(mailBody(page)).toContainText("482913");

    await page.emulateMedia({ media: "print", colorScheme: "dark" });

    await expect(page.getByRole("heading", { name: "To print" })).toBeVisible();
    // Paper is light, whatever the screen is.
    await expect(page.getByRole("heading", { name: "To print" })).toHaveCSS("color", "rgb(29, 28, 26)");
    await expect(page.locator(".code").filter({ hasText: "juniper.example" }).locator(".link")).toBeVisible();
    await expect(mailBody(page)).toBeVisible();
    for (const control of [".back", ".tabs", ".frame-tools", "button:not(.link)"]) {
        await expect(page.locator(control).filter({ visible: true })).toHaveCount(0);
    }
});

test("the frame is as high as its mail", async ({ page, account }) => {
    const short = await account.received(htmlMessage("<p>one</p><p>two</p><p>three</p>", "short"));
    const long = await account.received(htmlMessage('<div style="height:3000px">long</div>', "long"));
    await logIn(page, account, `#/address/${short.id}`);
    const height = () => page.locator(".mail-frame").evaluate((frame) => frame.clientHeight);

    await expect.poll(height).toBeLessThan(220);
    await open(page, `#/address/${long.id}`);
    await expect(mailBody(page)).toContainText("long");
    await expect.poll(height).toBeGreaterThan(3000);
    await expect.poll(height).toBeLessThan(3100);
    await page.getByRole("button", { name: "Phone" }).click();
    await expect.poll(() => page.locator(".mail-frame").evaluate((frame) => frame.clientWidth)).toBeLessThan(376);
});

test("a large image does not change how a mail is shown, and its copies are bounded", async ({ page, account }) => {
    // In base64 it has "//" before a letter, like a URL before its host.
    const filler = Buffer.alloc(600_000, Buffer.from([0xff, 0xff, 0xf0]));
    const photo = Buffer.concat([Buffer.from(PIXEL, "base64"), filler]).toString("base64");
    /** @param {string} html */
    const message = (html) =>
        "From: ada@example.org\nSubject: photo\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=r\n\n" +
        `--r\nContent-Type: text/html\n\n${html}\n` +
        `--r\nContent-Type: image/png; name=photo.png\nContent-ID: <a@x>\nContent-Transfer-Encoding: base64\n\n${photo.replace(/.{76}/g, "$&\n")}\n--r--\n`;
    const one = await account.received(message('<div style="height:3000px">long</div><img src="photo.png">'));
    const many = await account.received(message(`<p>readable</p>${'<img src="cid:a@x">\n'.repeat(1000)}`));
    await logIn(page, account, `#/address/${one.id}`);
    const images = mailBody(page).locator("img");

    await expect(images).toHaveAttribute("src", /^data:image\/png;base64,iVBOR/);
    await expect.poll(() => page.locator(".mail-frame").evaluate((frame) => frame.clientHeight)).toBeGreaterThan(3000);
    await expect(page.locator(".frame-notice")).toContainText("remote content are off");

    await open(page, `#/address/${many.id}`);
    await expect(mailBody(page)).toContainText("readable");
    await expect(images.first()).toHaveAttribute("src", /^data:image\/png;base64,iVBOR/);
    await expect(images.last()).toHaveAttribute("src", "cid:a@x");
});

test("animations and filters are off until the reader allows them", async ({ page, account }) => {
    const { id } = await account.received(
        htmlMessage(
            "<style>@keyframes x{to{transform:rotate(1turn)}}#still{animation:x 1s infinite!important;filter:blur(9px)!important}</style>" +
                `<style>#sheet{background:url("d\\61ta:image/svg+xml,${MOVING}")}</style>` +
                `<img id="image" src="da\nta:image/svg+xml,${MOVING}"><img id="twice" src="data:image/svgimage/svg+xml,${MOVING}"><p id="style" style="background:url('data:image/SVG+xml,${MOVING}')">four</p><p id="sheet">five</p>` +
                '<div id="still">readable</div><div id="inline" style="filter:blur(9px)!important;animation:x 1s infinite!important">two</div><marquee>three</marquee>',
            "moving",
        ),
    );
    await logIn(page, account, `#/address/${id}`);

    for (const name of ["#still", "#inline"]) {
        await expect(mailBody(page).locator(name)).toHaveCSS("animation-name", "none");
        await expect(mailBody(page).locator(name)).toHaveCSS("filter", "none");
    }
    await expect(mailBody(page).locator("marquee")).toHaveCount(0);
    await expect(mailBody(page).locator("#image")).not.toHaveAttribute("src", /image\/svg/i);
    await expect(mailBody(page).locator("#twice")).not.toHaveAttribute("src", /^data:image/i);
    for (const name of ["#style", "#sheet"])
        await expect(mailBody(page).locator(name)).not.toHaveCSS("background-image", /image\/svg/i);
    await page.getByRole("button", { name: "Animations" }).click();
    await expect(mailBody(page).locator("#still")).toHaveCSS("animation-name", "x");
    await expect(mailBody(page).locator("#image")).toHaveAttribute("src", /image\/svg/i);
    for (const name of ["#style", "#sheet"])
        await expect(mailBody(page).locator(name)).toHaveCSS("background-image", /image\/svg/i);
});

/** Ways to write the URL of an SVG image in a style: tabs and line breaks that URLs lose, and escapes of CSS. @type {Record<string, string>} */
const SVG_STYLES = {
    plain: `background:url("data:image/svg+xml,${MOVING}")`,
    unquoted: `background:url(data:image/s\\76 g+xml,${MOVING})`,
    tab: `background:url("data:image/s\tvg+xml,${MOVING}")`,
    "tab before the type": `background:url("data:\timage/svg+xml,${MOVING}")`,
    "blank before the type": `background:url("data: image/svg+xml,${MOVING}")`,
    "escaped tab": `background:url("data:image/s\\9 vg+xml,${MOVING}")`,
    "escaped line break": `background:url("data:image/sv\\00000Ag+xml,${MOVING}")`,
    "continued line": `background:url("data:image/s\\\nvg+xml,${MOVING}")`,
    "escaped letter": `background:url("data:image/\\s\\vg+xml,${MOVING}")`,
    "escaped scheme": `background:u\\72l("d\\61\tta:image/SVG+xml,${MOVING}")`,
    "custom property": `--x:url('data:image/s\\76 g+xml,${MOVING}');background:var(--x)`,
    "custom property with a tab": `--x:url('data:image/sv\tg+xml,${MOVING}');background:var(--x)`,
    "set of images": `background:image-set("data:image/s\\9 v\\67+xml,${MOVING}" 1x)`,
    "after a comment": `/* \\*/background:url("data:image/s\\56 g+xml,${MOVING}")`,
};

test("an SVG image is off until the reader allows it, however a style writes its URL", async ({ page, account }) => {
    const styles = Object.values(SVG_STYLES);
    const { id } = await account.received(
        htmlMessage(
            styles.map((style, n) => `<style>#sheet${n}{${style}}</style>`).join("") +
                `<style>@property --y{syntax:"<image>";inherits:false;initial-value:url("data:image/s\\9 vg+xml,${MOVING}")}#registered{background:var(--y)}</style>` +
                styles
                    .map((style) => style.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("\t", "&#9;"))
                    .map((style, n) => `<p id="sheet${n}">sheet</p><p id="inline${n}" style="${style}">inline</p>`)
                    .join("") +
                `<p id="registered">readable</p><p style="color:rgb(1, 2, 3);width:100px\\9" id="other">other</p>` +
                `<img id="source" src="data:&#10; image/s&#9;vg+xml,${MOVING}"><img id="raster" src="data:image/png;base64,${PIXEL}">`,
            "SVG",
        ),
    );
    await logIn(page, account, `#/address/${id}`);
    const body = mailBody(page);
    const isSvg = /data:[^,]*image[^,]*g\+xml/i;
    const elements = Object.keys(SVG_STYLES).flatMap((name, n) => [
        { name: `${name} in a sheet`, element: body.locator(`#sheet${n}`) },
        { name: `${name} in an attribute`, element: body.locator(`#inline${n}`) },
    ]);
    elements.push({ name: "registered property", element: body.locator("#registered") });

    await expect(page.getByRole("button", { name: "Animations" })).toBeVisible();
    for (const { name, element } of elements) await expect(element, name).not.toHaveCSS("background-image", isSvg);
    await expect(body.locator("#source")).not.toHaveAttribute("src", isSvg);
    await expect(body.locator("#other")).toHaveCSS("color", "rgb(1, 2, 3)");
    await expect(body.locator("#raster")).toHaveAttribute("src", `data:image/png;base64,${PIXEL}`);
    await page.getByRole("button", { name: "Animations" }).click();
    for (const { name, element } of elements) await expect(element, name).toHaveCSS("background-image", isSvg);
    await expect(body.locator("#source")).toHaveAttribute("src", /image\/s\tvg/);
});

test("a style sheet cannot end its element when it is rewritten", async ({ page, account, trap }) => {
    const { id } = await account.received(
        htmlMessage(
            `<style>@media (prefers-color-scheme:light){p::after{content:"\\3c /style\\3e \\3clink rel=preconnect href='${trap.url}'\\3e \\3cimg src='${trap.url}/x.png'\\3e"}}</style><p>readable</p>`,
            "escape",
        ),
    );
    await logIn(page, account, `#/address/${id}`);
    await expect(mailBody(page)).toContainText("readable");

    await expect(mailBody(page).locator("img, link")).toHaveCount(0);
    expect(trap.connections).toBe(0);
});

test("link text of 195,000 characters does not freeze the page", async ({ page, account }) => {
    const { id } = await account.received(
        htmlMessage(
            `<a href="https://example.org/confirm?token=0123456789abcdef">confirm ${"a.".repeat(97_500)}1</a>`,
            "long link",
        ),
    );
    await logIn(page, account, `#/address/${id}`);

    await page.locator(".frame-links").getByRole("button").first().click();
    await expect(page.getByRole("dialog")).toContainText("https://example.org/confirm");
    await page.keyboard.press("Escape");
    await page.locator(".found").getByRole("button", { name: "example.org" }).click();
    await expect(page.getByRole("dialog")).toContainText("https://example.org/confirm");
});

for (const width of [360, 1280])
    test(`nothing that can be clicked moves while an e-mail is shown: ${width} pixels`, async ({ page, account }) => {
        const { id } = await account.received(
            "From: ada@example.org\nSubject: Still\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=r\n\n" +
                "--r\nContent-Type: text/html\n\n<p>Your verification code is 482913.</p><style>p{transition:all 1s}</style>" +
                '<img src="cid:a@x" width=200><img src="https://example.org/remote.png">' +
                '<a href="https://example.org/confirm?token=0123456789abcdef">Confirm my address</a>\n' +
                `--r\nContent-Type: image/png\nContent-ID: <a@x>\nContent-Transfer-Encoding: base64\n\n${PIXEL}\n--r--\n`,
        );
        await page.setViewportSize({ width, height: 2000 });
        await logIn(page, account, "#/send");
        const moves = await watchMoves(page);

        await open(page, `#/address/${id}`);

        await expect(page.locator(".frame-links").getByRole("button", { name: "Confirm my address" })).toBeVisible();
        await expect(page.getByRole("button", { name: "Animations" })).toBeVisible();
        await expect(mailBody(page).locator("img").first()).toHaveAttribute("src", /^data:/);
        expect(await moves()).toEqual([]);
        await page.getByRole("button", { name: "Copy code 482913" }).click();
        await noticed(page, /The code 482913 is copied\./);
        await expect(page.locator(".either.second")).toHaveCount(0);
        expect(await moves()).toEqual([]);
    });

test("a frame that stops to respond after it was shown can be left for the text", async ({ page, account }) => {
    const { id } = await account.received(htmlMessage("<p>readable</p>", "stuck"));
    await logIn(page, account, `#/address/${id}`);
    await expect(mailBody(page)).toContainText("readable");
    await expect(page.locator(".frame-notice")).toContainText("are off");

    const middle = await (await page.locator(".mail-frame").elementHandle())?.contentFrame();
    void middle
        ?.evaluate(() => addEventListener("message", (event) => event.stopImmediatePropagation(), true))
        .catch(() => {});
    // As a busy frame would: it takes no messages.
    void middle?.evaluate(() => (parent.postMessage = () => {})).catch(() => {});
    void middle
        ?.evaluate(() => {
            const end = Date.now() + 60_000;
            while (Date.now() < end);
        })
        .catch(() => {});

    await page.getByRole("button", { name: "Show as text" }).click();
    await expect(page.getByRole("tabpanel")).toContainText("readable");
});

test("inline images are found by Content-ID and by name, whatever their type says", async ({ page, account }) => {
    const part = (/** @type {string} */ header) => `--r\n${header}\nContent-Transfer-Encoding: base64\n\n${PIXEL}\n`;
    const { id } = await account.received(
        "From: ada@example.org\nSubject: images\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=r\n\n" +
            '--r\nContent-Type: text/html\n\n<p>readable</p><img id=a src="cid:a@x"><img id=b src="cid:b%40x"><img id=c src="photo.png">\n' +
            "--r\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n" +
            part("Content-Type: image/x-png\nContent-ID: <a@x>") +
            part("Content-Type: application/octet-stream; name=logo.png\nContent-ID: <b@x>") +
            part("Content-Type: image/png; name=photo.png\nContent-Location: photo.png") +
            "--r--\n",
    );
    await logIn(page, account, `#/address/${id}`);

    for (const name of ["#a", "#b", "#c"])
        await expect(mailBody(page).locator(name)).toHaveAttribute("src", /^data:image\/png;base64,iVBOR/);
});

test("what a mail has for readers that play and embed nothing is shown", async ({ page, account }) => {
    const html =
        '<picture><source media="(prefers-color-scheme: dark)" srcset="https://shop.example/dark.png"><img id="a" src="cid:a@x"></picture>' +
        '<video src="https://shop.example/v.mp4" poster="https://shop.example/v.png" controls><source src="https://shop.example/v.webm">' +
        '<a href="https://shop.example/film"><img id="b" src="cid:a@x"></a></video>' +
        '<object data="https://shop.example/o"><param name="x"><object data="https://shop.example/p"><p>object</p></object></object>' +
        "<audio src=x>audio</audio><canvas>canvas</canvas><noscript><p>noscript</p></noscript>";
    const { id } = await account.received(
        "From: ada@example.org\nSubject: instead\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=r\n\n" +
            `--r\nContent-Type: text/html\n\n${html}\n` +
            `--r\nContent-Type: image/png\nContent-ID: <a@x>\nContent-Transfer-Encoding: base64\n\n${PIXEL}\n--r--\n`,
    );
    await logIn(page, account, `#/address/${id}`);
    const body = mailBody(page);

    for (const name of ["#a", "#b"]) await expect(body.locator(name)).toHaveAttribute("src", /^data:image\/png;base64,iVBOR/);
    for (const text of ["object", "audio", "canvas", "noscript"]) await expect(body).toContainText(text);
    await expect(body.locator("picture, source, video, object, param, audio, canvas, noscript")).toHaveCount(0);
    await expect(page.locator(".frame-links")).toContainText("https://shop.example/film");
    await expect(page.locator(".frame-notice")).toContainText("remote content are off");
});

/** A mail whose images differ, by their Content-Location. @param {string[]} locations @param {string} html @param {string} [fields] */
function located(locations, html, fields = "") {
    return (
        `From: ada@example.org\nSubject: images\nMIME-Version: 1.0\n${fields}Content-Type: multipart/related; boundary=r\n\n` +
        `--r\nContent-Type: text/html\nContent-Location: https://shop.example/letters/one.html\n\n${html}\n` +
        locations
            .map((location, n) => `--r\nContent-Type: image/png\nContent-Location: ${location}\nContent-Transfer-Encoding: base64\n\n${image(n)}\n`)
            .join("") +
        "--r--\n"
    );
}

/** An image whose bytes differ for each number. @param {number} n */
function image(n) {
    return Buffer.concat([Buffer.from(PIXEL, "base64"), Buffer.from([n, n, n])]).toString("base64");
}

/** URLs as the HTML has them, and the Content-Location of the image that each one names (RFC 2557). @type {[string, string][]} */
const LOCATED = [
    ["https://shop.example/a.png", "https://shop.example/a.png"],
    ["HTTPS://Shop.Example:443/b.png#top", "https://shop.example/b.png"],
    ["https://shop.example/c?size=2&amp;name=c", "https://shop.example/c?size=2&name=c"],
    ["https://shop.example/d%20d.png", "https://shop.example/\n d%20d.png"],
    ["images/e.png", "images/e.png"],
    ["./images/../images/f.png", "images/f.png"],
    ["g%C3%B6.png", "=?utf-8?Q?g=C3=B6.png?="],
    ["h.png", "https://shop.example/letters/h.png"],
    ["../i.png", "https://shop.example/i.png"],
    ["/j.png", "https://shop.example/j.png"],
    ["//shop.example/k.png", "https://shop.example/k.png"],
    ["logo", "logo"],
];

test("inline images are found by Content-Location, as the HTML names them", async ({ page, account }) => {
    const html =
        LOCATED.map(([url], n) => `<img id="src${n}" src="${url}"><p id="style${n}" style="background:url('${url}')">x</p>`).join("\n") +
        `<style>${LOCATED.map(([url], n) => `#sheet${n}{background:url( "${url.replace("&amp;", "&")}" )}`).join("\n")}</style>` +
        LOCATED.map((_, n) => `<p id="sheet${n}">x</p>`).join("\n") +
        '<table><tr><td id="cell" background="images/e.png">x</table><img id="other" src="https://shop.example/other.png">';
    const { id } = await account.received(located(LOCATED.map(([, location]) => location), html));
    await logIn(page, account, `#/address/${id}`);
    const body = mailBody(page);

    for (const [n, [url]] of LOCATED.entries()) {
        await expect(body.locator(`#src${n}`), url).toHaveAttribute("src", `data:image/png;base64,${image(n)}`);
        for (const name of [`#style${n}`, `#sheet${n}`])
            await expect(body.locator(name), url).toHaveCSS("background-image", `url("data:image/png;base64,${image(n)}")`);
    }
    await expect(body.locator("#cell")).toHaveAttribute("background", `data:image/png;base64,${image(4)}`);
    await expect(body.locator("#other")).toHaveAttribute("src", "https://shop.example/other.png");
    await expect(page.locator(".frame-notice")).toContainText("A remote image is not loaded");
});

test("relative URLs are resolved against the base of the HTML or of the mail", async ({ page, account }) => {
    const locations = ["https://shop.example/a/x.png", "https://shop.example/b/x.png"];
    const ofHtml = await account.received(located(locations, '<base href="https://shop.example/b/"><img src="x.png">'));
    const ofMail = await account.received(
        located(["a/x.png", "b/x.png"], '<img src="https://shop.example/b/x.png">', "Content-Location: https://shop.example/\n"),
    );
    await logIn(page, account);
    for (const { id } of [ofHtml, ofMail]) {
        await open(page, `#/address/${id}`);
        await expect(mailBody(page).locator("img")).toHaveAttribute("src", `data:image/png;base64,${image(1)}`);
    }
});

test("characters that reverse a name are shown, and a program says that it is one", async ({ page, account }) => {
    const { id } = await account.received(
        `From: =?utf-8?B?${Buffer.from("\u202ee\u061cve\u200f").toString("base64")}?= <eve@example.org>\n` +
            "Subject: =?utf-8?B?aGkg4oCub2xsZWg=?=\nMIME-Version: 1.0\n" +
            "Content-Type: application/octet-stream; name*=utf-8''invoice.pdf%E2%80%AEfdp.exe\n\nMZ",
    );
    await logIn(page, account, `#/address/${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("hi [U+202E]olleh");
    await expect(page.locator(".facts")).toContainText("[U+202E]e[U+061C]ve[U+200F]");
    await page.getByRole("tab", { name: "Attachments (1)" }).click();
    await expect(page.locator(".filename")).toHaveText("invoice.pdf[U+202E]fdp.exe");
    await expect(page.locator(".attachments")).toContainText("This file can run programs.");
    await page.getByRole("button", { name: /^Download invoice/ }).click();
    const downloads = page.waitForEvent("download");
    await page.getByRole("dialog").getByRole("button", { name: "Download anyway" }).click();
    expect((await downloads).suggestedFilename()).not.toMatch(/[\u202a-\u202e]/);
    expect(await page.title()).not.toContain("\u202e");
});

test("a late 401 of an old session does not end the new one", async ({ page, account }) => {
    const other = await Account.create();
    await logIn(page, account);
    /** @type {(() => void) | undefined} */
    let release;
    await page.route("**/v1/account", async (route) => {
        if (release !== undefined || !route.request().headers()["authorization"]?.includes(account.key))
            return route.continue();
        await new Promise((resolve) => (release = () => resolve(undefined)));
        await route.fulfill({ status: 401, json: { error: { code: "UNAUTHORIZED", message: "no" } } });
    });
    await open(page, "#/account");
    await expect.poll(() => release !== undefined).toBe(true);
    await page.getByRole("button", { name: "Log out" }).click();
    await logIn(page, other, "#/");

    const late = page.waitForResponse((response) => response.status() === 401);
    release?.();
    await late;
    await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
    await other.address({ label: "alive" });
    await expect(page.locator(".rows li")).toContainText("alive");
});

test("a 503 at a reload keeps the key", async ({ page, account }) => {
    await page.goto("./");
    await page.getByLabel("Keep it until this tab is closed").check();
    await page.getByLabel("API key").fill(account.key);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
    await page.route("**/v1/account", (route) =>
        route.fulfill({ status: 503, json: { error: { code: "UNAVAILABLE", message: "away" } } }),
    );
    await page.reload();
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    await page.unroute("**/v1/account");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
});

/** What browsers do to pages that may not store, or whose storage is full. @type {Record<string, () => void>} */
const WITHOUT_STORAGE = {
    blocked: () => {
        for (const area of ["localStorage", "sessionStorage"])
            Object.defineProperty(window, area, {
                get() {
                    throw new DOMException("denied", "SecurityError");
                },
            });
    },
    missing: () => {
        for (const area of ["localStorage", "sessionStorage"]) Object.defineProperty(window, area, { value: null });
    },
    full: () => {
        Storage.prototype.setItem = () => {
            throw new DOMException("full", "QuotaExceededError");
        };
    },
};

for (const [name, refuse] of Object.entries(WITHOUT_STORAGE))
    test(`the console works for the session, and says that the key is not kept, if storage is ${name}`, async ({
        page,
        account,
    }) => {
        await page.addInitScript(refuse);
        const { id } = await account.received("From: ada@example.org\nSubject: Hello\n\nx");
        await page.goto("./");
        await expect(page.getByText("the key is not kept")).toHaveCount(name === "full" ? 0 : 1);
        await page.getByLabel("Keep it until this tab is closed").check();
        await page.getByLabel("API key").fill(account.key);
        await page.getByRole("button", { name: "Log in" }).click();
        await noticed(page, /the key is not kept/);

        await expect(page.locator(".rows .unread")).toHaveCount(1);
        await open(page, `#/address/${id}`);
        const heading = page.getByRole("heading", { level: 1 });
        await expect(heading).toHaveText("Hello");
        await expect(page.locator(".rows .unread")).toHaveCount(0);
        for (const { used, key, shown } of [
            { used: false, key: "a", shown: "Hello" },
            { used: true, key: "a", shown: "Account" },
        ]) {
            await page.locator("body").press("?");
            await page.getByLabel("Use these keys").setChecked(used);
            await page.getByRole("button", { name: "Close" }).click();
            await page.locator("body").press(key);
            await expect(heading).toHaveText(shown);
        }
        await page.reload();
        await expect(page.getByLabel("API key")).toBeVisible();
    });

test("e-mails that another tab has read stay read", async ({ page, account }) => {
    const [one, two] = [await account.received("Subject: One\n\nx"), await account.received("Subject: Two\n\nx")];
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
        await logIn(tab, account);
        await expect(tab.locator(".rows .unread")).toHaveCount(2);
    }
    await open(page, `#/address/${one.id}`);
    await expect(page.locator(".rows .unread")).toHaveCount(1);
    await open(other, `#/address/${two.id}`);
    await expect(other.locator(".rows .unread")).toHaveCount(1);

    await page.reload();
    await logIn(page, account);

    await expect(page.locator(".rows li")).toHaveCount(2);
    await expect(page.locator(".rows .unread")).toHaveCount(0);
});

test("navigation survives an API that is away, and odd hashes", async ({ page, account, gate }) => {
    await logIn(page, account, `${gate.console}`);
    gate.close();
    await page.getByRole("link", { name: "Send" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Send an e-mail");
    await page.getByRole("link", { name: "Account" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Account");
    gate.open();
    await open(page, "#/send/%");
    await expect(page.getByLabel("To", { exact: true })).toHaveValue("%");
});

test("a file that fails to load with the first e-mail is loaded again, and navigation survives", async ({
    page,
    account,
}) => {
    const { id } = await account.received("Subject: Hello\n\nYour code is 482913.\n");
    for (const file of ["email.js", "client/vocabulary.js", "email.css"]) {
        await page.route(`**/console/${file}`, (route) => route.abort());
        await logIn(page, account, `./?${file}#/address/${id}`);
        await expect(page.getByRole("alert")).toContainText("could not be loaded");
        await page.getByRole("button", { name: "Try again" }).click();
        await expect(page.getByRole("alert")).toContainText("could not be loaded");

        await page.getByRole("link", { name: "Send", exact: true }).click();
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("Send an e-mail");
        await page.goBack();
        await expect(page.getByRole("alert")).toContainText("could not be loaded");
        await page.unroute(`**/console/${file}`);
        // A poll may come first, and remove the button.
        await page.evaluate(() => document.querySelector("button.again")?.dispatchEvent(new MouseEvent("click")));

        await expect(page.locator(".found")).toContainText("482913");
        await expect(page.getByRole("tab", { name: "Text" })).toBeVisible();
    }
});

test("a log-in works after one whose files could not be loaded", async ({ page, account }) => {
    await page.route("**/console/list.js", (route) => route.abort());
    await page.goto("./");
    await page.getByLabel("API key").fill(account.key);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toContainText("The service cannot be reached.");

    await page.unroute("**/console/list.js");
    await page.getByRole("button", { name: "Log in" }).click();

    await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
});

test("a draft survives, and a failed send keeps the focus at what is wrong", async ({ page, account }) => {
    await logIn(page, account, "#/send");
    const to = page.getByLabel("To", { exact: true });
    await to.fill("ada");
    await page.getByLabel("Subject").fill("Kept");
    await page.getByLabel("Text", { exact: true }).fill("Typed for long");
    await page
        .getByLabel("Attachments")
        .setInputFiles([{ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") }]);
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByRole("link", { name: "Send" }).click();
    await expect(page.getByLabel("Subject")).toHaveValue("Kept");
    await expect(page.getByLabel("Text", { exact: true })).toHaveValue("Typed for long");
    await expect(page.locator(".filename")).toHaveText("a.txt");

    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText("It needs a name, an @ and a domain");
    await expect(to).toHaveAttribute("aria-invalid", "true");
    await expect(to).toBeFocused();
});

test("on a phone the header does not cover the field that gets the focus", async ({ page, account }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await logIn(page, account, "#/send");
    const send = page.getByRole("button", { name: "Send", exact: true });
    await send.scrollIntoViewIfNeeded();
    await send.click();

    await expect(page.getByLabel("To", { exact: true })).toBeFocused();
    const header = await page.locator("header").boundingBox();
    const label = await page.getByText("To", { exact: true }).boundingBox();
    expect(label?.y).toBeGreaterThanOrEqual((header?.y ?? NaN) + (header?.height ?? NaN));
});

test("text typed during sending stays, and a notice has the result if the form was left", async ({ page, account }) => {
    const inbox = await account.address();
    await logIn(page, account, `#/send/${inbox.address}`);
    /** @type {(response: "continue" | "abort") => void} */
    let release = () => undefined;
    await page.route("**/v1/addresses", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        const end = await new Promise((resolve) => (release = resolve));
        return end === "abort" ? route.fulfill({ status: 400, json: { error: { code: "INVALID_REQUEST", message: "send is odd" } } }) : route.continue();
    });
    const text = page.getByLabel("Text", { exact: true });
    /** Sends, and waits until the request is held. */
    const send = async () => {
        const requested = page.waitForRequest((request) => request.method() === "POST");
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await requested;
    };
    await text.fill("refused");
    await send();
    await page.getByRole("link", { name: "Account" }).click();
    release("abort");
    await noticed(page, /Sending failed\. The e-mail is odd/);
    await page.getByRole("link", { name: "Send", exact: true }).click();
    await expect(text).toHaveValue("refused");

    await send();
    await text.fill("typed later");
    release("continue");
    await expect(page.getByText(`Sent to ${inbox.address} from`)).toBeVisible();
    await expect(text).toHaveValue("typed later");

    await send();
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByRole("link", { name: "Send", exact: true }).click();
    await expect(text).toHaveValue("typed later");
    release("continue");
    await noticed(page, /The e-mail is sent\./);
    await expect(text).toHaveValue("");
});

test("a new key is not lost by Escape, and a lost response is asked for with the same Idempotency-Key", async ({
    page,
    account,
}) => {
    await logIn(page, account, "#/account");
    const refusal = { status: 422, json: { error: { code: "VALIDATION_ERROR", message: "not now" } } };
    await page.route("**/v1/account/api-key", (route) => route.fulfill(refusal));
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("button", { name: "Replace the key" }).click();
    await expect(page.locator(".card").filter({ hasText: "A new key replaces" }).getByRole("alert")).toHaveText("Not now.");
    await page.unroute("**/v1/account/api-key");
    /** @type {(string | undefined)[]} */
    const keys = [];
    await page.route("**/v1/account/api-key", (route) => {
        keys.push(route.request().headers()["idempotency-key"]);
        return keys.length === 1 ? route.abort() : route.continue();
    });
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("button", { name: "Replace the key" }).click();
    const dialog = page.getByRole("dialog");
    const key = await dialog.getByLabel("API key").inputValue();
    expect(keys.length).toBe(2);
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
    for (let n = 0; n < 3; n++) await page.keyboard.press("Escape");
    await expect(dialog).toContainText("Is the key copied?");
    await expect(dialog.getByLabel("API key")).toHaveValue(key);
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    await expect(dialog).toBeHidden();
});

test("a send, a purchase and a create that are repeated after a lost response happen once", async ({ page, account }) => {
    const inbox = await account.address();
    await logIn(page, account, `#/send/${inbox.address}`);
    /** @type {(string | undefined)[]} */
    const keys = [];
    let isLost = true;
    await page.route(/\/v1\/(?:addresses|account\/credits)$/, async (route) => {
        keys.push(route.request().headers()["idempotency-key"]);
        if (!isLost) return route.continue();
        // The service has done it.
        await route.fetch();
        await route.abort();
    });
    const failure = page.locator(".problem").filter({ hasText: "The service cannot be reached.", visible: true });
    /** Clicks once with the response lost, and once more. @param {() => Promise<void>} click */
    const again = async (click) => {
        keys.length = 0;
        isLost = true;
        await click();
        await expect(failure).toBeVisible();
        isLost = false;
        await click();
    };
    const isOneKey = () => {
        expect(keys.length).toBeGreaterThan(1);
        expect(keys[0]).toBeTruthy();
        expect(new Set(keys).size).toBe(1);
    };
    const numberOf = async (/** @type {string} */ mode) =>
        (await (await account.request("GET", `/addresses?mode=${mode}`)).json()).items.length;

    const subject = page.getByLabel("Subject");
    const send = () => page.getByRole("button", { name: "Send", exact: true }).click();
    await subject.fill("once");
    await again(send);
    await expect(page.getByText(`Sent to ${inbox.address} from`)).toBeVisible();
    isOneKey();
    expect(await numberOf("send")).toBe(1);

    // The same content after a response is another e-mail; so is other content.
    const [sent] = keys;
    await subject.fill("once");
    isLost = true;
    await send();
    await expect(failure).toBeVisible();
    const second = keys.at(-1);
    expect(second).not.toBe(sent);
    await subject.fill("other");
    await send();
    await expect.poll(() => keys.at(-1)).not.toBe(second);
    await expect(failure).toBeVisible();
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByRole("link", { name: "Send", exact: true }).click();
    await subject.fill("once");
    isLost = false;
    await send();
    await expect(page.getByText(`Sent to ${inbox.address} from`)).toBeVisible();
    expect(keys.at(-1)).toBe(second);
    expect(await numberOf("send")).toBe(3);

    await open(page, "#/account");
    await page.getByRole("spinbutton", { name: "Credits" }).fill("7");
    await again(async () => {
        await page.getByRole("button", { name: "Buy credits" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Buy" }).click();
    });
    await expect(page.getByText("7 credits are added. You have 7.")).toBeVisible();
    isOneKey();

    await open(page, "#/");
    await page.locator(".toolbar").getByRole("button", { name: "New address" }).click();
    await again(() => page.getByRole("button", { name: "Create", exact: true }).click());
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^[a-z2-7]{24}@/);
    isOneKey();
    expect(await numberOf("receive")).toBe(2);
});

test("an address that is created after its dialog was closed does not navigate", async ({ page, account }) => {
    await logIn(page, account);
    /** @type {() => void} */
    let release = () => undefined;
    const held = new Promise((resolve) => (release = () => resolve(undefined)));
    await page.route("**/v1/addresses", async (route) => {
        if (route.request().method() === "POST") await held;
        await route.continue();
    });
    await page.locator(".toolbar").getByRole("button", { name: "New address" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Account" }).click();
    release();
    await noticed(page, /The address is created\. It is in the list\./);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Account");

    await page.unroute("**/v1/addresses");
    /** @type {() => void} */
    let refuse = () => undefined;
    const refused = new Promise((resolve) => (refuse = () => resolve(undefined)));
    await page.route("**/v1/addresses", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        await refused;
        await route.fulfill({ status: 422, json: { error: { code: "VALIDATION_ERROR", message: "label is odd" } } });
    });
    await open(page, "#/");
    const requested = page.waitForRequest((request) => request.method() === "POST");
    await page.locator(".toolbar").getByRole("button", { name: "New address" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await requested;
    await page.keyboard.press("Escape");
    refuse();
    await noticed(page, /Creating the address failed\. The label is odd/);
});

test("the list is searched, counted and chosen from, and its filters are in the URL", async ({ page, account }) => {
    await account.address({ label: "alpha" });
    await account.address({ label: "alpine" });
    const mail = await account.received("From: grace@example.org\nSubject: Harbor lights\n\nx", { label: "beta" });
    await logIn(page, account);
    const rows = page.locator(".rows li:visible");
    await expect(rows).toHaveCount(3);
    await expect(page.locator(".counts")).toHaveText("2 waiting, 1 received");
    await expect(page.locator(".unread")).toHaveCount(1);
    await page.getByLabel("Search").fill("alp");
    await expect(rows).toHaveCount(2);
    await page.getByLabel("Search").fill("nothing");
    await expect(page.locator(".counts")).toHaveText("0 addresses");
    await page.getByLabel("Search").fill("harbor");
    await expect(rows).toHaveCount(1);
    await expect(page).toHaveURL(/#\/\?q=harbor$/);
    await page.getByLabel("Search").fill("");
    await page.getByLabel("State").selectOption("waiting");
    await expect(page).toHaveURL(/status=waiting/);
    await expect(rows).toHaveCount(2);
    await page.getByRole("button", { name: "Select" }).click();
    await page.locator(".choose").first().check();
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.locator(".choose").first()).toBeHidden();
    await page.getByRole("button", { name: "Select" }).click();
    await expect(page.locator(".choose:checked")).toHaveCount(0);
    for (const box of await page.locator(".choose").all()) await box.check();
    await page.getByLabel("Search").fill("alpha");
    await page.getByRole("button", { name: "Delete 2" }).click();
    await expect(page.getByRole("dialog")).toContainText("The list does not show 1 of them now.");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Search").fill("");
    await page.getByRole("button", { name: "Delete 2" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete 2 addresses" }).click();
    await expect(rows).toHaveCount(0);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(rows).toHaveCount(1);
    await page.locator("body").press("?");
    await expect(page.getByRole("dialog")).toContainText("Keyboard shortcuts");
    await page.getByRole("button", { name: "Close" }).click();
    await page.locator("body").press("j");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbor lights");
    await expect(page.locator(".unread")).toHaveCount(0);
    expect(mail.id).toBeTruthy();
});

test("mail that was not read and is deleted or expires is counted no longer", async ({ page, account }) => {
    test.slow();
    await logIn(page, account);
    const expiring = await account.received("From: ada@example.org\nSubject: Expires\n\nx", { ttl_seconds: 120 });
    await expect(page).toHaveTitle("(1) Addresses – oneshot");
    // It is counted also while the list does not show it.
    await page.getByLabel("State").selectOption("waiting");
    const deleted = await account.address();
    await page.getByLabel("State").selectOption("");
    await expect(page.locator(".rows li")).toHaveCount(2);
    await deliver(deleted.address, "From: ada@example.org\nSubject: Deleted\n\nx");
    await expect(page).toHaveTitle("(2) Addresses – oneshot");
    await account.request("DELETE", `/addresses/${deleted.id}`);
    await expect(page).toHaveTitle("(1) Addresses – oneshot");
    await page.getByLabel("State").selectOption("waiting");
    await expect(page).toHaveTitle("Addresses – oneshot", { timeout: 300_000 });
    expect(expiring.id).toBeTruthy();
});

test("new mail is counted in the page's title", async ({ page, account }) => {
    const { address, id } = await account.address();
    await logIn(page, account);
    await expect(page.locator(".rows li")).toHaveCount(1);
    await deliver(address, "From: ada@example.org\nSubject: Hello\n\nx");
    await expect(page).toHaveTitle("(1) Addresses – oneshot");
    await open(page, `#/address/${id}`);
    await expect(page).toHaveTitle("Hello – oneshot");
});

/** Records notifications, which the page is allowed. @param {import("@playwright/test").Page} page */
async function recordNotifications(page) {
    await page.context().grantPermissions(["notifications"]);
    await page.addInitScript(() => {
        const shown = /** @type {Notification[]} */ ([]);
        Object.assign(window, { shown });
        const Original = window.Notification;
        window.Notification = class extends Original {
            /** @param {string} title @param {NotificationOptions} [options] */
            constructor(title, options) {
                super(title, options);
                shown.push(this);
            }
        };
    });
}

test("mail of the address that is open is counted and notified while the page is hidden", async ({ page, account }) => {
    await recordNotifications(page);
    const { address, id } = await account.address();
    await logIn(page, account, `#/address/${id}`);
    await expect(page.locator(".rows li")).toHaveCount(1);
    // The view of the address reads of the mail, and the list does not.
    await page.route("**/v1/addresses?*", () => undefined);
    await page.evaluate(() => Object.defineProperty(document, "hidden", { configurable: true, get: () => true }));
    await deliver(address, "From: ada@example.org\nSubject: Hello\n\nx");

    await expect(page).toHaveTitle("(1) Hello – oneshot");
    const titles = await page.evaluate(() => /** @type {any} */ (window).shown.map((/** @type {Notification} */ n) => n.title));
    expect(titles).toEqual(["New e-mail from ada@example.org"]);

    await page.evaluate(() => {
        Reflect.deleteProperty(document, "hidden");
        document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect(page).toHaveTitle("Hello – oneshot");
});

test("new mail is notified while the page is hidden, and a click on that opens it", async ({ page, account }) => {
    await recordNotifications(page);
    const { address, id } = await account.address();
    const other = await account.address();
    await logIn(page, account);
    await expect(page.locator(".rows li")).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Notify me" })).toBeHidden();
    const shown = () =>
        page.evaluate(() => /** @type {any} */ (window).shown.map((/** @type {Notification} */ n) => [n.title, n.body]));
    await deliver(other.address, "From: grace@example.org\nSubject: Seen\n\nx");
    await expect(page).toHaveTitle(/^\(1\)/);
    expect(await shown()).toEqual([]);

    /** The page is hidden when it reads of the mail. @param {{ address: string, id: string }} to @param {string} message */
    const deliverHidden = async (to, message) => {
        /** @type {() => void} */
        let release = () => undefined;
        const held = new Promise((resolve) => (release = () => resolve(undefined)));
        await page.route("**/v1/addresses?*", async (route) => {
            await held;
            await route.continue();
        });
        await deliver(to.address, message);
        await expect
            .poll(async () => (await (await account.request("GET", `/addresses/${to.id}`)).json()).status)
            .toBe("received");
        await page.evaluate(() => Object.defineProperty(document, "hidden", { configurable: true, get: () => true }));
        release();
        await page.unroute("**/v1/addresses?*");
    };
    const unhide = () =>
        page.evaluate(() => {
            Reflect.deleteProperty(document, "hidden");
            document.dispatchEvent(new Event("visibilitychange"));
        });
    await deliverHidden({ address, id }, "From: ada@example.org\nSubject: Hello \u202Eolleh\n\nx");

    await expect.poll(shown).toEqual([["New e-mail from ada@example.org", "Hello [U+202E]olleh"]]);
    await unhide();
    await page.evaluate(() => /** @type {any} */ (window).shown[0].dispatchEvent(new Event("click")));
    await expect(page).toHaveURL(new RegExp(`#/address/${id}$`));

    // As Chrome on Android does: it has the constructor, and refuses to use it.
    const last = await account.address();
    await expect(page.locator(".rows li")).toHaveCount(3);
    await page.evaluate(() => {
        const refuse = () => {
            throw new TypeError("Illegal constructor");
        };
        Object.assign(window, { Notification: new Proxy(Notification, { construct: refuse }) });
    });
    await deliverHidden(last, "From: ada@example.org\nSubject: Without a notification\n\nx");
    await expect(page.locator(".rows li").first()).toContainText("Without a notification");
    await unhide();
    await account.address({ label: "next" });
    await expect(page.locator(".rows li").first()).toContainText("next");
    await expect(page.locator(".rows li")).toHaveCount(4);
});

test("on a phone the label of the filter is not cut", async ({ page, account }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await logIn(page, account, "#/?label=nightly-build-12");
    const label = page.getByLabel("Label");
    await expect(label).toHaveValue("nightly-build-12");
    expect(await label.evaluate((input) => input.scrollWidth - input.clientWidth)).toBeLessThanOrEqual(0);
});

test("on a phone the list keeps its place when the reader comes back to it", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await logIn(page, /** @type {any} */ ({ key: setting("KEY_WITH_MANY") }));
    const row = page.locator(".rows li").nth(40);
    await row.scrollIntoViewIfNeeded();
    const place = () => row.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const before = await place();
    // The service knows none of these addresses, so the one below leaves the list.
    await page.locator(".rows li").nth(41).getByRole("link").click();
    await expect(page.locator(".address h1")).toHaveText("There is no such address");
    expect(await page.evaluate(() => scrollY)).toBe(0);

    await page.goBack();

    await expect(row).toBeInViewport();
    expect(Math.abs((await place()) - before)).toBeLessThan(64);
});

test("a page of the list that fails keeps the rows that are there", async ({ page }) => {
    await logIn(page, /** @type {any} */ ({ key: setting("KEY_WITH_MANY") }));
    const rows = page.locator(".rows li");
    await expect(rows).toHaveCount(50);
    await page.getByLabel("Search").fill("none of them");
    await expect(page.getByText("No listed address matches.")).toBeVisible();
    await page.getByLabel("Search").fill("");
    const more = page.getByRole("button", { name: "Show more" });
    await more.click();
    await expect(rows).toHaveCount(100);
    await page.route("**/v1/addresses?*cursor=*", (route) => route.abort());
    await more.click();
    await noticed(page, /The service cannot be reached\./);
    await expect(more).toBeEnabled();
    await expect(rows).toHaveCount(100);

    await page.unroute("**/v1/addresses?*cursor=*");
    await more.click();

    await expect(rows).toHaveCount(150);
    const ids = await rows.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(new Set(ids).size).toBe(150);
});

test("1,000 attachments are listed in steps, and saved as one archive", async ({ page, account }) => {
    const parts = Array.from(
        { length: 1000 },
        (_, n) => `--m\nContent-Type: text/plain; name=file${n % 999}.txt\nContent-Disposition: attachment\n\n${n}\n`,
    );
    const few = `From: ada@example.org\nSubject: few\nContent-Type: multipart/mixed; boundary=m\n\n${parts.slice(0, 3).join("")}--m--\n`;
    const { id } = await account.received(
        `From: ada@example.org\nSubject: many\nContent-Type: multipart/mixed; boundary=m\n\n${parts.join("")}--m--\n`,
    );
    const small = await account.received(few);
    await logIn(page, account, `#/address/${id}`);
    await page.getByRole("tab", { name: "Attachments" }).click();
    await expect(page.locator(".attachments > li")).toHaveCount(50);
    await page.getByRole("button", { name: "Show more" }).last().click();
    await expect(page.locator(".attachments > li")).toHaveCount(100);

    await open(page, `#/address/${small.id}`);
    await page.getByRole("tab", { name: "Attachments (3)" }).click();
    const downloads = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download all as one archive" }).click();
    const download = await downloads;
    expect(download.suggestedFilename()).toBe(`${small.id}.zip`);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const archive = Buffer.concat(chunks);
    expect(archive.readUInt32LE(0)).toBe(0x04034b50);
    expect(archive.readUInt16LE(archive.length - 12)).toBe(3);
    expect(archive.includes("file2.txt")).toBe(true);
});

test("nothing is bought that is no number of credits", async ({ page, account }) => {
    await logIn(page, account, "#/account");
    const credits = page.getByRole("spinbutton", { name: "Credits" });
    for (const value of ["0", "1000001", "1.5", ""]) {
        await credits.fill(value);
        await page.getByRole("button", { name: "Buy credits" }).click();
        await expect(page.getByRole("alert")).toContainText("between 1 and 1,000,000");
        await expect(credits).toBeFocused();
        // The button stays next to its field, above the error.
        const [field, button] = await Promise.all(
            [credits, page.getByRole("button", { name: "Buy credits" })].map((each) => each.boundingBox()),
        );
        expect(Math.abs((button?.y ?? NaN) - (field?.y ?? NaN))).toBeLessThan(3);
    }
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(setting("API")).toContain("/v1");
});

test("what credits cost is said before they are bought, if the deployment names a price", async ({ page, account }) => {
    await page.route("**/console/", async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace('name="credit-price" content=""', 'name="credit-price" content="0.07 EUR"');
        await route.fulfill({ response, body });
    });
    await logIn(page, account, "#/account");
    await page.getByRole("spinbutton", { name: "Credits" }).fill("3");
    await expect(page.getByText("3 credits for €0.21.")).toBeVisible();
    await page.getByRole("button", { name: "Buy credits" }).click();
    await expect(page.getByRole("dialog")).toContainText("The purchase is invoiced: €0.21.");
    await page.getByRole("button", { name: "Buy for €0.21" }).click();
    await expect(page.getByText("3 credits are added.")).toBeVisible();
});

test("texts are shown in place, an invitation says when and where, and an archive warns of programs", async ({
    page,
    account,
}) => {
    const part = (/** @type {string} */ type, /** @type {string} */ name, /** @type {string} */ content) =>
        `--m\nContent-Type: ${type}; name=${name}; charset=utf-8\nContent-Disposition: attachment\nContent-Transfer-Encoding: 8bit\n\n${content}\n`;
    const invitation =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Harbor walk\\, with\n  Grace\nLOCATION;LANGUAGE=en:Pier 3\nDTSTART;TZID=\"Europe/Berlin\":20260401T090000\n" +
        "DTEND;TZID=Europe/Berlin:20260401T103000\nORGANIZER;CN=\"Grace: harbor\":mailto:grace@example.org\nBEGIN:VALARM\nSUMMARY:alarm\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR";
    const { id } = await account.received(
        "From: ada@example.org\nSubject: parts\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=m\n\n" +
            part("text/calendar", "invite.ics", invitation) +
            part("message/rfc822", "forwarded.eml", "Subject: =?utf-8?Q?Inner_gr=C3=BC?=\n =?UTF-8*de?B?w59l?= =?odd?B?!?=\nFrom: Bob <bob@example.org>\n\nGrüße") +
            part("text/plain", "setup.appinstaller", "x") +
            part("text/plain", "run.PY.", "x") +
            "--m--\n",
    );
    await logIn(page, account, `#/address/${id}`);
    await page.getByRole("tab", { name: "Source" }).click();
    await expect(page.getByRole("tabpanel")).toContainText("Grüße");
    await expect(page.getByRole("tabpanel")).not.toContainText("This is the beginning of");
    await page.getByRole("tab", { name: "Attachments (4)" }).click();
    await expect(page.getByText("This file can run programs.")).toHaveCount(2);

    const opened = page.locator(".opened:not(:empty)");
    await page.getByRole("button", { name: "Show invite.ics" }).click();
    await expect(opened.locator("dd")).toHaveText([
        "Harbor walk, with Grace",
        "2026-04-01 09:00 (Europe/Berlin) – 2026-04-01 10:30 (Europe/Berlin)",
        "Pier 3",
        "grace@example.org",
    ]);
    await page.getByRole("button", { name: "Hide invite.ics" }).click();
    await expect(opened).toHaveCount(0);
    await page.getByRole("button", { name: "Show forwarded.eml" }).click();
    await expect(opened.locator("dd")).toHaveText(["Inner grüße=?odd?B?!?=", "Bob <bob@example.org>"]);
    await expect(opened).toContainText("Grüße");
    await expect(opened).not.toContainText("This is the beginning of");

    await page.getByRole("button", { name: "Download all as one archive" }).click();
    await expect(page.getByRole("dialog")).toContainText("setup.appinstaller and 1 more");
    const downloads = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download anyway" }).click();
    expect((await downloads).suggestedFilename()).toBe(`${id}.zip`);
});
