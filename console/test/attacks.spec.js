/* What hostile HTML tries. Nothing of it runs, and nothing is requested. */
import { expect, htmlMessage, logIn, mailBody, noticed, test, watch } from "./stack.js";

const RUN = "top.document.title='owned';parent.document.title='owned';alert('owned');fetch('TRAP/run')";

/** By name; TRAP is a server that records requests. The word "readable" stands in each, and must be shown. @type {Record<string, string>} */
const ATTACKS = {
    script: `<script>${RUN}</script><script src="TRAP/s.js"></script><script type="module">import "TRAP/m.js"</script>readable`,
    "script in odd places": `<p>readable</p><scr<script>ipt>${RUN}</scr</script>ipt><svg><script href="TRAP/x">${RUN}</script></svg><table><script>${RUN}</script></table>`,
    "event handlers": `<img src=x onerror="${RUN}"><body onload="${RUN}"><p onmouseover="${RUN}" onclick="${RUN}" tabindex=0 onfocus="${RUN}" autofocus>readable</p><details open ontoggle="${RUN}">x</details><video><source onerror="${RUN}"></video><style onload="${RUN}"></style><marquee onstart="${RUN}">x</marquee>`,
    "script URLs": `<a href="javascript:${RUN}">readable</a><a href=" j&#97;vascript&colon;${RUN}">two</a><iframe src="javascript:${RUN}"></iframe><form action="javascript:${RUN}"><button>go</button></form><a href="data:text/html,<script>${RUN}</script>">three</a>`,
    SVG: `<p>readable</p><svg onload="${RUN}"><image href="TRAP/svg.png"/><use href="TRAP/u.svg#x"/><a xlink:href="TRAP/a"><text y=20>svg</text></a><animate attributeName=href to="TRAP/anim" begin=0s /><foreignObject><iframe src="TRAP/f"></iframe><script>${RUN}</script></foreignObject><set onbegin="${RUN}"/></svg><img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${RUN}'><image href='TRAP/inner.png'/></svg>">`,
    MathML: `<p>readable</p><math href="TRAP/math"><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${RUN}&gt;"></style></mglyph></table></mtext><maction actiontype="statusline#TRAP" xlink:href="javascript:${RUN}">x</maction></math>`,
    mutation: `<p>readable</p><form><math><mtext></form><form><mglyph><style></math><img src onerror="${RUN}"><link rel=preconnect href="TRAP"></style></mglyph></form><noscript><p title="</noscript><img src=x onerror='${RUN}'><link rel=prefetch href='TRAP/m'>"></noscript><template><script>${RUN}</script></template><xmp><p title="</xmp><img src=TRAP/x.png>">`,
    "meta refresh": `<meta http-equiv="refresh" content="0;url=TRAP/refresh"><meta http-equiv="refresh" content="0;url=javascript:${RUN}"><meta http-equiv="Set-Cookie" content="a=b">readable`,
    "policy of its own": `<meta http-equiv="Content-Security-Policy" content="default-src *; script-src * 'unsafe-inline'"><script>${RUN}</script><img src="TRAP/policy.png">readable`,
    base: `<base href="TRAP/" target="_top"><img src="relative.png"><a href="relative">readable</a>`,
    "links in the head": `<link rel="stylesheet" href="TRAP/style.css"><link rel="preload" as="image" href="TRAP/preload.png"><link rel="prefetch" href="TRAP/prefetch"><link rel="preconnect" href="TRAP"><link rel="dns-prefetch" href="TRAP"><link rel="modulepreload" href="TRAP/m.js"><link rel="icon" href="TRAP/icon.png"><link rel="manifest" href="TRAP/manifest">readable`,
    forms: `<form action="TRAP/form" method="post" target="_top"><input name="a" value="b" autofocus><button>readable</button></form><form action="TRAP/form2" id="f"></form><button form="f" formaction="TRAP/form3" formtarget="_blank">x</button><isindex action="TRAP/i" type=image>readable`,
    CSS: `<style>@import url(TRAP/import.css);@import "TRAP/import2.css";@font-face{font-family:x;src:url(TRAP/font.woff2)}body{font-family:x;background:url(TRAP/body.png)}p[title^=a]{background:image-set(url(TRAP/exfil-a.png) 1x)}p{cursor:url(TRAP/cursor.png),auto;list-style-image:url(TRAP/list.png);mask:url(TRAP/mask.svg#m);filter:url(TRAP/filter.svg#f);content:url(TRAP/content.png)}p::after{content:url(TRAP/after.png)}</style><p title="abc" style="background:url('TRAP/inline.png')">readable</p><div style="behavior:url(TRAP/b.htc);-moz-binding:url(TRAP/x.xml#x);background:url(//127.0.0.1/protocol-relative.png)">x</div>`,
    "after a style in the body": `<p>readable</p><style>p{transition:none}</style><link rel="preconnect" href="TRAP"><meta http-equiv="refresh" content="0;url=TRAP/refresh"><a href="TRAP/link">two</a><form action="TRAP/form"><button>three</button></form><img src="TRAP/x.png">`,
    media: `<img src="TRAP/img.png" srcset="TRAP/img2.png 2x" lowsrc="TRAP/low.png" dynsrc="TRAP/dyn"><picture><source srcset="TRAP/source.png"><img src="TRAP/p.png"></picture><video src="TRAP/v.mp4" poster="TRAP/poster.png" autoplay></video><audio src="TRAP/a.mp3" autoplay></audio><track src="TRAP/t.vtt"><table background="TRAP/table.png"><tr><td background="TRAP/td.png">readable</table><input type=image src="TRAP/input.png"><body background="TRAP/bg.png">`,
    "frames and objects": `<iframe src="TRAP/frame" onload="${RUN}"></iframe><iframe srcdoc="<script>${RUN}</script><img src=TRAP/srcdoc.png>"></iframe><object data="TRAP/object"></object><embed src="TRAP/embed"><applet code="TRAP/applet"></applet><portal src="TRAP/portal"></portal><fencedframe></fencedframe>readable`,
    frameset: `<frameset onload="${RUN}"><frame src="TRAP/frameset"></frameset>`,
    "target=_top": `<a href="TRAP/top" target="_top">readable</a> <a href="TRAP/blank" target="_blank" rel="opener">two</a> <a href="TRAP/self" ping="TRAP/ping">three</a><map name=m><area href="TRAP/area" shape=default target=_top></map><img usemap="#m" width=50 height=50 alt=map>`,
    "DOM clobbering": `<p>readable</p><form name="parent"><input name="postMessage"><input name="document"></form><img name="getElementById"><a id="location" href="TRAP/clobber"></a><a id="top"></a><div id="app"></div><div id="notices"></div><iframe name="parent" src="about:blank"></iframe><input id="key" name="body"><img name="head"><form id="documentElement"><input name="outerHTML"><input name="attributes"><input name="childNodes"></form>`,
    "custom elements and unknown ones": `<x-evil onclick="${RUN}" style="background:url(TRAP/x.png)"><y><z>readable</z></y></x-evil><plugin src="TRAP/p"></plugin><xss href="TRAP/x" onfocus="${RUN}" tabindex=1 autofocus></xss>`,
    "the html element": `<html style="background:url(TRAP/html.png);--x:'</style><img src=TRAP/style.png>'" background="TRAP/background.png" onload="${RUN}" title="&quot;><link rel=preconnect href=TRAP>"><body>readable</body></html>`,
    overlay: `<div style="position:fixed;inset:0;z-index:2147483647;background:#fff"><a href="TRAP/overlay" target="_top" style="display:block;height:100%">readable</a></div><dialog open>x</dialog><div popover id=p>x</div><button popovertarget=p>y</button>`,
};

test("no attack runs or requests anything, not even when it is clicked", async ({ page, account, trap }) => {
    const messages = await Promise.all(
        Object.entries(ATTACKS).map(async ([name, html]) => ({
            name,
            html,
            ...(await account.received(htmlMessage(html.replaceAll("TRAP", trap.url), name))),
        })),
    );
    await logIn(page, account);
    const seen = watch(page);
    const tabs = page.context().pages().length;

    for (const { name, html, id } of messages) {
        await test.step(name, async () => {
            await page.evaluate((hash) => (location.hash = hash), `#/address/${id}`);
            await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
            const body = mailBody(page);
            await expect(body).toBeAttached();
            if (html.includes("readable")) await expect(body).toContainText("readable");
            await expect(page.locator(".frame-notice")).toContainText(/are off|not loaded/);
            await expect(body.locator("[href], [action], link, meta, script, iframe")).toHaveCount(0);
            // Where the reader would click.
            for (const target of await body.locator("a, button, p, div, img").all()) {
                await target.click({ force: true, timeout: 2000, noWaitAfter: true }).catch(() => undefined);
            }
            await expect(page.locator("header .brand")).toBeVisible();
            await expect(page).toHaveTitle(`${name} – oneshot`);
            expect(new URL(page.url()).hash).toBe(`#/address/${id}`);
            expect(
                trap.requests.map(({ path }) => path),
                name,
            ).toEqual([]);
            expect(trap.connections, name).toBe(0);
            expect(seen, name).toEqual([]);
        });
    }

    expect(page.context().pages()).toHaveLength(tabs);
    expect(await page.context().cookies()).toEqual([]);
});

test("the sender's header fields and names are text", async ({ page, account, trap }) => {
    const html = `<img src=${trap.url}/x onerror=alert(1)>`;
    const { id } = await account.received(
        `From: "${html}" <ada@example.org>\nSubject: ${html}\nX-Evil: ${html}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n${html}\n` +
            `--b\nContent-Type: text/html\nContent-Disposition: attachment; filename="${html.replaceAll("/", "")}.html"\n\n<script>alert(1)</script>\n--b--\n`,
        { label: html },
    );
    await logIn(page, account, `#/address/${id}`);
    const seen = watch(page);

    await expect(page.getByRole("heading", { level: 1 })).toHaveText(html);
    await expect(page.getByRole("tabpanel")).toContainText(html);
    for (const tab of ["Headers", "Source", /Attachments/, /Links/]) {
        await page.getByRole("tab", { name: tab }).click();
        await expect(page.getByRole("tabpanel")).not.toBeEmpty();
    }

    await page.getByRole("tab", { name: /Attachments/ }).click();
    await expect(page.locator(".filename")).toContainText("onerror=alert(1)");
    expect(trap.requests).toEqual([]);
    expect(seen).toEqual([]);
});

test("a PDF opens in a tab of its own, where nothing of it runs, and nothing else opens as one", async ({
    page,
    account,
    trap,
}) => {
    const objects = [
        `<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${trap.url}/open)>>/Names<</JavaScript<</Names[(a) 4 0 R]>>>>>>`,
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/AA<</O<</S/URI/URI(${trap.url}/page)>>>>>>`,
        `<</S/JavaScript/JS(app.launchURL\\("${trap.url}/js", true\\);this.submitForm\\("${trap.url}/form"\\);app.alert\\(1\\))>>`,
    ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
    const pdf = `%PDF-1.7\n${objects.join("")}trailer<</Size 5/Root 1 0 R>>\n%%EOF`;
    const part = (/** @type {string} */ name, /** @type {string} */ content) =>
        `--m\nContent-Type: application/pdf; name=${name}\nContent-Disposition: attachment\n\n${content}\n`;
    const script = `<script>fetch("${trap.url}/html")</script>`;
    const { id } = await account.received(
        `Subject: PDF\nContent-Type: multipart/mixed; boundary=m\n\n${part("a.pdf", pdf)}${part("b.pdf", script)}--m--\n`,
    );
    await logIn(page, account);
    await page.evaluate((hash) => (location.hash = hash), `#/address/${id}`);
    await page.getByRole("tab", { name: "Attachments" }).click();

    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Open a.pdf in a new tab" }).click();
    const tab = await opened;
    await expect.poll(() => tab.frames().length).toBeGreaterThan(1);
    expect(tab.url()).toMatch(/^blob:/);
    expect(await tab.evaluate(() => [opener, sessionStorage.length])).toEqual([null, 0]);

    await page.bringToFront();
    // As after a download that takes longer than browsers remember a click.
    await page.evaluate(() => Object.defineProperty(navigator, "userActivation", { value: { isActive: false } }));
    await page.getByRole("button", { name: "Open a.pdf in a new tab" }).click();
    const reopened = page.context().waitForEvent("page");
    await page.getByRole("dialog").getByRole("link", { name: "Open in a new tab" }).click();
    expect(await (await reopened).evaluate(() => [opener, sessionStorage.length])).toEqual([null, 0]);
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.bringToFront();
    await page.getByRole("button", { name: "Open b.pdf in a new tab" }).click();
    await noticed(page, /This file is no PDF/);
    expect(page.context().pages()).toHaveLength(3);
    expect(trap.requests).toEqual([]);
});

test("remote images are loaded only for the e-mail that the reader names, without a referrer", async ({
    page,
    account,
    trap,
}) => {
    const html = `<p>readable</p><img src="${trap.url}/wanted.png"><script src="${trap.url}/s.js"></script><link rel=stylesheet href="${trap.url}/s.css"><style>@import "${trap.url}/i.css";</style>`;
    const first = await account.received(htmlMessage(html, "first"));
    const second = await account.received(htmlMessage(html, "second"));
    await logIn(page, account, `#/address/${first.id}`);

    await expect(page.locator(".mail-frame.tall")).toHaveCount(0);
    await page.getByRole("button", { name: "Load for this e-mail" }).click();
    // The height of a remote image is not known.
    await expect(page.locator(".mail-frame.tall")).toHaveCount(1);

    await expect.poll(() => trap.requests.map(({ path }) => path)).toEqual(["/wanted.png"]);
    expect(trap.requests[0]?.headers.referer).toBeUndefined();
    expect(trap.requests[0]?.headers.cookie).toBeUndefined();
    expect(trap.requests[0]?.headers.authorization).toBeUndefined();
    await page.evaluate((hash) => (location.hash = hash), `#/address/${second.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("second");
    await expect(mailBody(page)).toContainText("readable");
    await expect(page.getByRole("button", { name: "Load for this e-mail" })).toBeVisible();
    expect(trap.requests).toHaveLength(1);
});

test("links say where they lead, and open without opener and referrer", async ({ page, account, trap }) => {
    const { id } = await account.received(
        htmlMessage(
            `<a href="${trap.url}/landing?token=1">https://bank.example/login</a><a href="mailto:x@example.org">mail</a>`,
            "links",
        ),
    );
    await logIn(page, account, `#/address/${id}`);

    await page.locator(".frame-links").getByRole("button", { name: "https://bank.example/login" }).click();

    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(`${trap.url}/landing?token=1`);
    await expect(dialog).toContainText("Its text names bank.example, but it leads to");
    expect(trap.requests).toEqual([]);
    const opened = page.context().waitForEvent("page");
    await dialog.getByRole("link", { name: "Open in a new tab" }).click();
    const tab = await opened;
    await expect.poll(() => trap.requests.map(({ path }) => path).includes("/landing?token=1")).toBe(true);
    expect(trap.requests[0]?.headers.referer).toBeUndefined();
    expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
});

test("the frame is no way into the console", async ({ page, account }) => {
    const { id } = await account.received(htmlMessage("<p>readable</p>", "frame"));
    await logIn(page, account, `#/address/${id}`);
    await expect(mailBody(page)).toContainText("readable");

    const outer = page.locator(".mail-frame");
    const inner = page.frameLocator(".mail-frame").locator("iframe");

    await expect(outer).toHaveAttribute("sandbox", "allow-scripts");
    await expect(inner).toHaveAttribute("sandbox", "");
    expect(await outer.evaluate((/** @type {HTMLIFrameElement} */ frame) => frame.contentDocument)).toBeNull();
    // What a page of a stranger would do.
    await page.evaluate(() =>
        window.postMessage({ links: [{ href: "javascript:alert(1)", text: "forged" }], remote: 0 }, "*"),
    );
    await expect(page.locator(".frame-links")).not.toContainText("forged");
});
