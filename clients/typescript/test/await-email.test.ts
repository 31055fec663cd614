import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressExpiredError, AwaitTimeoutError, ConnectionError, NotFoundError } from "oneshot-client";
import { PollPacing } from "../dist/time.js";
import {
    created,
    email,
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
    waiting,
} from "./server.js";

const unchanged: Reply = (response) => response.writeHead(304, { ETag: '"1"' }).end();

test("polls with the ETag until the e-mail is there", async (t) => {
    const server = await TestServer.start(
        t,
        json(200, waiting, { ETag: '"1"' }),
        unchanged,
        json(200, received),
        json(200, email),
    );

    const found = await server.client().awaitEmail(ID);

    assert.equal(found.subject, "Hello");
    assert.deepEqual({ ...found }, email);
    assert.deepEqual(
        server.seen.map((seen) => [seen.url, seen.headers["if-none-match"]]),
        [
            [`/v1/addresses/${ID}`, undefined],
            [`/v1/addresses/${ID}`, '"1"'],
            [`/v1/addresses/${ID}`, '"1"'],
            [`/v1/addresses/${ID}/email`, undefined],
        ],
    );
});

test("a time-out says what was seen", async (t) => {
    const server = await TestServer.start(t, json(200, waiting));

    await assert.rejects(server.client().awaitEmail(created, { timeoutMs: 400 }), (thrown) => {
        assert.ok(thrown instanceof AwaitTimeoutError);
        assert.match(
            thrown.message,
            /^no e-mail at cgoeakwtnnh2sbp5uyxq7dzl within 400 ms; seen in \d polls: status waiting, expires at 2026-01-31T13:00:00Z$/,
        );
        return true;
    });
});

for (const [name, reply] of Object.entries({ "a request": silent, "a wait for the rate limit": rateLimited(30) })) {
    test(`a time-out ends ${name}, and says so`, async (t) => {
        const server = await TestServer.start(t, reply);

        await assert.rejects(server.client().awaitEmail(ID, { timeoutMs: 100 }), (thrown) => {
            assert.ok(thrown instanceof AwaitTimeoutError);
            assert.match(thrown.message, /seen in 1 polls: no response; the last poll failed: reading .* took too long$/);
            assert.ok(thrown.cause instanceof ConnectionError);
            return true;
        });
    });
}

test("an e-mail whose reading a time-out ends is not missing", async (t) => {
    const server = await TestServer.start(t, json(200, received), silent);

    await assert.rejects(server.client().awaitEmail(ID, { timeoutMs: 100 }), {
        name: "ConnectionError",
        message: `reading /addresses/${ID} took too long`,
    });
});

for (const [name, failing] of Object.entries({ reset, "502": json(502, {}), stalled })) {
    test(`an outage does not end a wait: ${name}`, async (t) => {
        const outage = Array.from({ length: 4 }, () => failing);
        const replies = [json(200, waiting), ...outage, json(200, received), ...outage, json(200, received), json(200, email)];
        const server = await TestServer.start(t, ...replies);

        const found = await server.client({ requestTimeoutMs: 2_000 }).awaitEmail(ID, { timeoutMs: 300_000 });

        assert.equal(found.subject, "Hello");
    });
}

test("the rate of the account slows the waits down", async (t) => {
    const server = await TestServer.start(t, json(200, waiting, { "RateLimit-Policy": '"account";q=1;w=10' }));

    await assert.rejects(server.client().awaitEmail(ID, { timeoutMs: 3_000 }), AwaitTimeoutError);

    // The first, the one that takes the first turn at the rate, and the last; by the backoff alone there are five.
    assert.ok(server.seen.length <= 3, `${server.seen.length} polls`);
});

test("all waits together use four fifths of the rate", () => {
    const pacing = new PollPacing();
    pacing.learn(new Headers({ "RateLimit-Policy": '"account";q=1000;w=2' }));

    const first = pacing.turn();
    for (let i = 1; i < 1000; i++) pacing.turn();

    // A thousand of them fill 2.5 s at 400 a second. Doubles are summed.
    assert.ok(pacing.turn() - first >= 2_499.9);
});

test("a service that stays away is a time-out that says so", async (t) => {
    const server = await TestServer.start(t, json(200, waiting), reset);

    await assert.rejects(server.client().awaitEmail(ID, { timeoutMs: 3_000 }), (thrown) => {
        assert.ok(thrown instanceof AwaitTimeoutError);
        assert.match(
            thrown.message,
            /status waiting, expires at 2026-01-31T13:00:00Z; the last poll failed: GET http.* got no response: /,
        );
        assert.ok(thrown.cause instanceof ConnectionError);
        return true;
    });
    assert.ok(server.seen.length > 3);
});

test("an e-mail that cannot be read is no time-out", async (t) => {
    const server = await TestServer.start(t, json(200, received), json(500, {}));

    await assert.rejects(server.client().awaitEmail(ID, { timeoutMs: 0 }), { name: "ApiError", status: 500 });
});

test("an address that expires, or is deleted, is not waited for", async (t) => {
    const server = await TestServer.start(t, json(200, waiting), error(410, "EXPIRED"), error(404, "NOT_FOUND"));

    await assert.rejects(server.client().awaitEmail(ID), AddressExpiredError);
    await assert.rejects(server.client().awaitEmail(ID), NotFoundError);
});

test("an address that sends is not waited for", async (t) => {
    const server = await TestServer.start(t, json(200, { ...waiting, mode: "send", status: "sent" }));

    await assert.rejects(server.client().awaitEmail(ID), TypeError);
});

test("without time there is one poll", async (t) => {
    const server = await TestServer.start(t, json(200, received), json(200, email), json(200, waiting));

    assert.equal((await server.client().awaitEmail(ID, { timeoutMs: 0 })).subject, "Hello");
    await assert.rejects(server.client().awaitEmail(ID, { timeoutMs: 0 }), AwaitTimeoutError);

    assert.equal(server.seen.length, 3);
});

test("an abort ends it with its reason", async (t) => {
    const server = await TestServer.start(t, json(200, waiting));
    const controller = new AbortController();

    const ended = assert.rejects(server.client().awaitEmail(ID, { signal: controller.signal }), /enough/);
    while (server.seen.length === 0) await new Promise(setImmediate);
    controller.abort(new Error("enough"));

    await ended;
});

test("a time-out is at most a day", async (t) => {
    const server = await TestServer.start(t, json(200, received), json(200, email));

    await assert.rejects(server.client().awaitEmail(ID, { timeoutMs: 86_400_001 }), TypeError);
    assert.equal((await server.client().awaitEmail(ID, { timeoutMs: 86_400_000 })).subject, "Hello");
});
