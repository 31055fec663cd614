import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import {
    AddressExpiredError,
    ApiError,
    AwaitTimeoutError,
    ConnectionError,
    fileToSend,
    NotFoundError,
    OneshotClient,
    OneshotError,
} from "oneshot-client";
import {
    created,
    deleted,
    email,
    endless,
    error,
    ID,
    json,
    rateLimited,
    received,
    type Reply,
    reset,
    silent,
    stalled,
    TestServer,
    truncated,
    unavailable,
    waiting,
} from "./server.js";

const errors = { AddressExpiredError, ApiError, AwaitTimeoutError, ConnectionError, NotFoundError, OneshotError };
const createdReply = json(201, created);

test("429 waits for Retry-After and repeats the create with its Idempotency-Key", async (t) => {
    const server = await TestServer.start(t, rateLimited(1), createdReply);

    assert.deepEqual(await server.client().createAddress({ label: "a" }), created);

    const [first, second] = server.seen;
    assert.equal(server.seen.length, 2);
    assert.ok(second!.at - first!.at > 990, "waited a second");
    assert.match(first!.headers["idempotency-key"] as string, /^[0-9a-f]{32}$/);
    assert.equal(second!.headers["idempotency-key"], first!.headers["idempotency-key"]);
    assert.equal(second!.body, '{"label":"a"}');
    assert.equal(first!.headers.authorization, "Bearer key");
});

test("waiting for the rate limit has a bound", async (t) => {
    const server = await TestServer.start(t, rateLimited(1));

    await assert.rejects(server.client({ rateLimitWaitMs: 2_500 }).getAccount(), { code: "RATE_LIMITED", status: 429 });

    assert.equal(server.seen.length, 3);
});

test("a wait beyond the bound is not begun", async (t) => {
    const server = await TestServer.start(t, rateLimited(61));

    await assert.rejects(server.client().getAccount(), { code: "RATE_LIMITED", retryAfterSeconds: 61 });

    assert.equal(server.seen.length, 1);
});

test("a create that is still running is waited for", async (t) => {
    const running = error(409, "CONFLICT", { "Retry-After": "1" });
    const server = await TestServer.start(t, reset, running, createdReply);

    assert.deepEqual(await server.client().createAddress(), created);

    assert.equal(new Set(server.seen.map((seen) => seen.headers["idempotency-key"])).size, 1);
});

for (const [name, failing] of Object.entries({ "503": unavailable, reset, "truncated body": truncated })) {
    test(`${name}: the third attempt may succeed`, async (t) => {
        const server = await TestServer.start(t, failing, failing, createdReply);

        assert.deepEqual(await server.client().createAddress(), created);

        assert.equal(new Set(server.seen.map((seen) => seen.headers["idempotency-key"])).size, 1);
    });

    test(`${name}: there is no fourth attempt`, async (t) => {
        const server = await TestServer.start(t, failing);

        await assert.rejects(
            server.client().createAddress(),
            failing === unavailable ? { status: 503 } : ConnectionError,
        );

        assert.equal(server.seen.length, 3);
    });

    test(`${name}: a new key is asked for again with the same Idempotency-Key`, async (t) => {
        const replies = [failing, failing, failing, failing, json(201, { api_key: "new" }), json(201, { api_key: "newer" })];
        const server = await TestServer.start(t, ...replies);
        const client = server.client();

        await assert.rejects(client.replaceApiKey(), OneshotError);
        assert.equal(await client.replaceApiKey(), "new");
        assert.equal(await client.replaceApiKey(), "newer");

        const keys = server.seen.map((seen) => seen.headers["idempotency-key"]);
        assert.equal(keys.length, 6);
        assert.equal(new Set(keys.slice(0, 5)).size, 1);
        assert.notEqual(keys[5], keys[0]);
        assert.equal(server.last.headers.authorization, "Bearer new");
    });
}

for (const [name, slow] of Object.entries({ "no response": silent, "a stalled response": stalled })) {
    test(`${name} is a broken connection`, async (t) => {
        const server = await TestServer.start(t, slow);

        await assert.rejects(server.client({ requestTimeoutMs: 2_000 }).getAccount(), {
            name: "ConnectionError",
            message: `GET ${server.origin}/v1/account got no response within 2000 ms`,
        });

        assert.equal(server.seen.length, 3);
    });
}

test("a service that cannot be reached is a broken connection", async () => {
    const client = new OneshotClient({ baseUrl: "http://127.0.0.1:1/v1/", apiKey: "key" });

    await assert.rejects(client.getAccount(), {
        name: "ConnectionError",
        message: /^GET http:\/\/127\.0\.0\.1:1\/v1\/account got no response: \S/,
    });
});

const wrongBodies: [string, unknown, RegExp][] = [
    ["an array", [], / response must be an object$/],
    ["null", null, / response must be an object$/],
    ["a number for a string", { ...waiting, id: 1 }, / response\.id must be a string$/],
    ["a missing member", { ...waiting, label: undefined }, / response\.label must be a string$/],
    ["null for a string", { ...waiting, address: null }, / response\.address must be a string$/],
    ["an array for an object", { ...waiting, email: [] }, / response\.email must be an object$/],
    [
        "a string for an integer",
        { ...received, email: { ...received.email, size_bytes: "1" } },
        / response\.email\.size_bytes must be an integer$/,
    ],
    [
        "a fraction",
        { ...received, email: { ...received.email, attachment_count: 0.5 } },
        /attachment_count must be an integer$/,
    ],
    [
        "a string for a boolean",
        { ...received, email: { ...received.email, has_attachments: "no" } },
        /has_attachments must be a boolean$/,
    ],
];

for (const [name, body, message] of wrongBodies) {
    test(`wrong types: ${name}`, async (t) => {
        const server = await TestServer.start(t, json(200, body));

        await assert.rejects(server.client().getAddress(ID), { name: "OneshotError", message });

        assert.equal(server.seen.length, 1);
    });
}

test("wrong types in an e-mail", async (t) => {
    const attachments = [{ filename: "a", content_type: "text/plain", size_bytes: -0.1, download_url: "/" }];
    const server = await TestServer.start(
        t,
        json(200, { ...email, headers: { To: ["a"] } }),
        json(200, { ...email, attachments }),
    );

    await assert.rejects(server.client().getEmail(ID), { message: / response\.headers\.To must be a string$/ });
    await assert.rejects(server.client().getEmail(ID), {
        message: / response\.attachments\[0\]\.size_bytes must be an integer$/,
    });
});

test("unknown members and values are no error", async (t) => {
    const server = await TestServer.start(t, json(200, { ...waiting, status: "paused", more: {} }));

    assert.equal((await server.client().getAddress(ID)).status, "paused");
});

test("a body that is not JSON is an error", async (t) => {
    const server = await TestServer.start(t, (response) => response.end("<html>"));

    await assert.rejects(server.client().getAccount(), {
        name: "OneshotError",
        message: `the response to GET ${server.origin}/v1/account (200) is not JSON, but HTML, as from a proxy in front of the service or from another server`,
    });

    assert.equal(server.seen.length, 1);
});

for (const status of [200, 500]) {
    test(`an endless body with status ${status} is not read to its end`, async (t) => {
        const closed: Promise<unknown>[] = [];
        const server = await TestServer.start(t, (response) => {
            response.statusCode = status;
            closed.push(once(response, "close"));
            endless(response);
        });

        const failure =
            status === 200 ? { message: /\/v1\/account \(200\) has more than 1000000 bytes$/ } : { code: "UNKNOWN", status };
        await assert.rejects(server.client({ responseBytesMax: 1_000_000 }).getAccount(), failure);

        await Promise.all(closed);
        assert.equal(server.seen.length, status === 200 ? 1 : 3);
    });
}

test("errors have what the error body says", async (t) => {
    const upgrade_url = "https://example.com/pricing";
    const server = await TestServer.start(t, error(402, "QUOTA_EXCEEDED", {}, { upgrade_url }));

    await assert.rejects(server.client().createAddress(), (thrown) => {
        assert.ok(thrown instanceof ApiError);
        assert.equal(thrown.name, "ApiError");
        assert.equal(
            thrown.message,
            "QUOTA_EXCEEDED (402): the message of QUOTA_EXCEEDED; see https://example.com/pricing [request r1]",
        );
        assert.deepEqual(
            [thrown.code, thrown.errorMessage, thrown.status, thrown.requestId, thrown.upgradeUrl],
            ["QUOTA_EXCEEDED", "the message of QUOTA_EXCEEDED", 402, "r1", upgrade_url],
        );
        return true;
    });
});

test("error bodies of other shapes are errors with the status", async (t) => {
    const page: Reply = (response) => response.writeHead(400).end("<h1>Bad Request</h1>");
    const server = await TestServer.start(t, page, json(400, null), json(400, { error: { code: 1 } }));

    for (let i = 0; i < 3; i++) await assert.rejects(server.client().getAccount(), { code: "UNKNOWN", status: 400 });
});

for (const [status, flaw] of [
    [200, "is not of this API"],
    [404, "has no error body"],
    [502, "has no error body"],
] as const) {
    test(`a page of HTML with status ${status} is an error that names the URL and says so`, async (t) => {
        const server = await TestServer.start(t, (response) =>
            response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end("<title>Sign in</title>"),
        );
        const client = server.client();

        const calls = [() => client.getAddress(ID), () => client.deleteAddress(ID), () => client.getRawEmail(ID)];
        for (const call of calls) {
            await assert.rejects(call(), (thrown: Error) => {
                assert.ok(thrown instanceof OneshotError);
                assert.ok(thrown.message.includes(`${server.origin}/v1/addresses/${ID}`), thrown.message);
                assert.ok(thrown.message.includes(`(${status}) ${flaw}, but HTML, as from a proxy`), thrown.message);
                return true;
            });
        }
    });
}

test("an attachment may be a page of HTML", async (t) => {
    const server = await TestServer.start(t, (response) =>
        response.writeHead(200, { "Content-Type": "text/html" }).end("<html>"),
    );

    assert.equal(await new Response(await server.client().getAttachment(ID, 0)).text(), "<html>");
});

for (const [name, reply] of Object.entries({
    "404": error(404, "NOT_FOUND"),
    "405": json(405, {}),
    text: ((response) => response.end("it works")) as Reply,
})) {
    test(`a base URL without its version is named: ${name}`, async (t) => {
        const server = await TestServer.start(t, reply);
        const hint = `; the base URL ${server.origin} does not end in /v1`;

        const wrong = server.client({ baseUrl: server.origin });
        await assert.rejects(wrong.getAccount(), (thrown: Error) => thrown.message.includes(hint));
        await assert.rejects(server.client().getAccount(), (thrown: Error) => !thrown.message.includes(hint));
    });
}

test("errors keep their names in a minified bundle", async () => {
    const source = await readFile(new URL(import.meta.resolve("oneshot-client").replace("index.js", "errors.js")), "utf8");
    const names = Object.keys(errors);
    let letter = 0;
    const minified = names.reduce(
        (text, name) => text.replace(new RegExp(`(?<!")\\b${name}\\b(?!")`, "g"), `z${letter++}`),
        source,
    );

    const loaded = (await import(`data:text/javascript,${encodeURIComponent(minified)}`)) as Record<
        string,
        { prototype: Error; name: string }
    >;

    assert.deepEqual(Object.values(loaded).map((type) => type.prototype.name).sort(), names.sort());
    assert.ok(Object.values(loaded).every((type) => /^z\d$/.test(type.name)));
    assert.match(String(new ConnectionError("x").stack), /^ConnectionError: x\n/);
});

for (const label of [undefined, null, "", 7]) {
    test(`a deletion by the label ${JSON.stringify(label)} deletes nothing`, async (t) => {
        const server = await TestServer.start(t, deleted);

        await assert.rejects(server.client().deleteAddressesByLabel(label as string), {
            name: "TypeError",
            message: `label must be a string of 1 to 255 characters, not ${JSON.stringify(label) ?? "undefined"}; nothing is deleted`,
        });

        assert.equal(server.seen.length, 0);
    });
}

test("a filter without values lists all", async (t) => {
    const server = await TestServer.start(t, json(200, { items: [], next_cursor: null }));

    await server.client().listAddresses({ label: undefined, status: undefined, mode: null as never }).next();

    assert.equal(server.last.url, "/v1/addresses?limit=100");
});

test("a redirect is not followed", async (t) => {
    const elsewhere = await TestServer.start(t, json(200, waiting));
    const server = await TestServer.start(t, (response) =>
        response.writeHead(307, { Location: elsewhere.origin }).end(),
    );

    await assert.rejects(server.client().getAddress(ID), { status: 307, message: /; it redirects to http.* which is not followed/ });

    assert.equal(elsewhere.seen.length, 0);
});

test("an abort ends a wait, a request and a request that did not begin, with its reason", async (t) => {
    const server = await TestServer.start(t, rateLimited(30), silent);
    const reason = new Error("enough");
    for (let begun = 1; begun <= 2; begun++) {
        const controller = new AbortController();
        const call = server.client().getAccount({ signal: controller.signal });
        const ended = assert.rejects(call, reason);
        while (server.seen.length < begun) await new Promise(setImmediate);
        controller.abort(reason);
        await ended;
    }

    await assert.rejects(server.client().getAccount({ signal: AbortSignal.abort(reason) }), reason);
    assert.equal(server.seen.length, 2);
});

test("a delete whose response was lost succeeds", async (t) => {
    const server = await TestServer.start(t, reset, error(404, "NOT_FOUND"));

    await server.client().deleteAddress(ID);

    assert.equal(server.seen.length, 2);
});

test("a delete of an unknown address fails", async (t) => {
    const server = await TestServer.start(t, error(404, "NOT_FOUND"));

    await assert.rejects(server.client().deleteAddress(ID), NotFoundError);
});

test("a download that breaks fails", async (t) => {
    const server = await TestServer.start(t, truncated);

    const stream = await server.client().getRawEmail(ID);

    await assert.rejects(new Response(stream).text(), ConnectionError);
});

test("a download that stalls fails", async (t) => {
    const server = await TestServer.start(t, stalled);

    const stream = await server.client({ requestTimeoutMs: 2_000 }).getAttachment(ID, 0);

    await assert.rejects(new Response(stream).text(), ConnectionError);
});

test("a download of any size is read bit by bit, and an abort ends it", async (t) => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const server = await TestServer.start(t, (response) => {
        closed = once(response, "close");
        endless(response);
    });

    const reader = (await server.client().getAttachment(ID, 3, { signal: controller.signal })).getReader();
    assert.equal((await reader.read()).done, false);
    controller.abort(new Error("enough"));

    await assert.rejects(async () => {
        while (!(await reader.read()).done);
    }, /enough/);
    await closed;
    assert.equal(server.last.url, `/v1/addresses/${ID}/email/attachments/3`);
});

test("a download that is cancelled closes its connection", async (t) => {
    let closed: Promise<unknown> | undefined;
    const server = await TestServer.start(t, (response) => {
        closed = once(response, "close");
        endless(response);
    });

    await (await server.client().getRawEmail(ID)).cancel();

    await closed;
});

test("a list fetches a page when it is needed", async (t) => {
    const page = (next_cursor: string | null) => json(200, { items: [waiting, waiting], next_cursor });
    const server = await TestServer.start(t, page("a+b"), page(null));

    let count = 0;
    for await (const address of server.client().listAddresses({ label: "a&b", status: "waiting" })) {
        assert.deepEqual(address, waiting);
        count++;
        assert.equal(server.seen.length, Math.ceil(count / 2));
    }

    assert.equal(count, 4);
    assert.equal(server.last.url, "/v1/addresses?limit=100&label=a%26b&status=waiting&cursor=a%2Bb");
});

test("a list whose pages repeat is an error", async (t) => {
    const server = await TestServer.start(t, json(200, { items: [], next_cursor: "a" }));

    await assert.rejects(server.client().listAddresses().next(), { message: /the list does not end/ });

    assert.equal(server.seen.length, 2);
});

test("an API key that cannot be sent is not shown", () => {
    for (const apiKey of ["secret\nkey", "secret\u20ac", "secret\n"]) {
        assert.throws(
            () => new OneshotClient({ baseUrl: "http://127.0.0.1:1/v1", apiKey }),
            (error) => error instanceof TypeError && /API key/.test(error.message) && !error.message.includes("secret"),
        );
    }
});

test("an id that would name something else is not sent", async (t) => {
    const server = await TestServer.start(t, deleted);

    for (const id of ["", "..", ".", "a/b", "@example.org", "?label=a", undefined, null, 7, {}, { id: undefined }]) {
        await assert.rejects(server.client().deleteAddress(id as string), /^TypeError: not the id of an address: /);
    }

    assert.equal(server.seen.length, 0);
});

test("an address is named by its id, itself or its e-mail address", async (t) => {
    const server = await TestServer.start(t, deleted);

    for (const address of [ID, created, created.address]) await server.client().deleteAddress(address);

    assert.deepEqual(
        new Set(server.seen.map((seen) => `${seen.method} ${seen.url}`)),
        new Set([`DELETE /v1/addresses/${ID}`]),
    );
});

test("options out of bounds are errors", () => {
    const valid = { baseUrl: "http://127.0.0.1/v1", apiKey: "key" };
    const wrong = [
        { baseUrl: "127.0.0.1" },
        { baseUrl: "file:///v1" },
        { apiKey: "" },
        { requestTimeoutMs: 0 },
        { requestTimeoutMs: 86_400_001 },
        { rateLimitWaitMs: NaN },
    ];
    for (const options of wrong) assert.throws(() => new OneshotClient({ ...valid, ...options }), TypeError);
});

test("a new key is used from then on", async (t) => {
    const server = await TestServer.start(t, json(201, { api_key: "new" }), json(200, waiting));
    const client = server.client();

    assert.equal(await client.replaceApiKey(), "new");
    await client.getAddress(ID);

    assert.equal(server.last.headers.authorization, "Bearer new");
});

test("a file to send is encoded whatever its size", () => {
    for (const length of [0, 1, 2, 3, 100_000]) {
        const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) & 255);
        assert.deepEqual(fileToSend("a", "b/c", bytes), {
            filename: "a",
            content_type: "b/c",
            content_base64: Buffer.from(bytes).toString("base64"),
        });
    }
});
