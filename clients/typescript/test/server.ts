import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { type ClientOptions, OneshotClient } from "oneshot-client";

/** A request that the server received. */
export interface Seen {
    method: string | undefined;
    url: string | undefined;
    headers: IncomingHttpHeaders;
    body: string;
    at: number;
}

export type Reply = (response: ServerResponse) => void;

/** A server that gives these replies in turn, the last one again and again, and records its requests. */
export class TestServer {
    readonly seen: Seen[] = [];
    readonly origin: string;

    private constructor(origin: string) {
        this.origin = origin;
    }

    static async start(t: TestContext, ...replies: Reply[]): Promise<TestServer> {
        const server = createServer(async (request, response) => {
            const chunks: Buffer[] = [];
            for await (const chunk of request) chunks.push(chunk as Buffer);
            const { method, url, headers } = request;
            started.seen.push({ method, url, headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
            replies[Math.min(started.seen.length, replies.length) - 1]!(response);
        });
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        const started = new TestServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
        t.after(() => {
            server.closeAllConnections();
            server.close();
        });
        return started;
    }

    /** A client of this server. */
    client(options: Partial<ClientOptions> = {}): OneshotClient {
        return new OneshotClient({ baseUrl: `${this.origin}/v1`, apiKey: "key", ...options });
    }

    get last(): Seen {
        return this.seen.at(-1)!;
    }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
    return (response) =>
        response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function error(status: number, code: string, headers: Record<string, string> = {}, more: object = {}): Reply {
    return json(
        status,
        { error: { code, message: `the message of ${code}`, ...more } },
        { "X-Request-Id": "r1", ...headers },
    );
}

export const rateLimited = (seconds: number) => error(429, "RATE_LIMITED", { "Retry-After": String(seconds) });

export const unavailable = error(503, "UNAVAILABLE");

export const deleted: Reply = (response) => response.writeHead(204).end();

/** Ends the connection without a response. */
export const reset: Reply = (response) => response.socket!.resetAndDestroy();

/** Never responds. */
export const silent: Reply = () => undefined;

/** Sends a part of a body, and breaks the connection. */
export const truncated: Reply = (response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write('{"id": ', () => response.socket!.destroy());
};

/** Sends a part of a body, and nothing more. */
export const stalled: Reply = (response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write("part");
};

/** Sends a body without end. */
export const endless: Reply = (response) => {
    const chunk = Buffer.alloc(64 * 1024, " ");
    const more = () => {
        while (response.write(chunk));
    };
    response.on("drain", more);
    more();
};

export const ID = "cgoeakwtnnh2sbp5uyxq7dzl";

export const created = {
    id: ID,
    address: `${ID}@in.example`,
    mode: "receive",
    status: "waiting",
    expires_at: "2026-01-31T13:00:00Z",
    label: null,
};

export const waiting = { ...created, email: null };

export const received = {
    ...created,
    status: "received",
    email: {
        from: "ada@example.org",
        subject: "Hello",
        received_at: "2026-01-31T12:00:05Z",
        size_bytes: 10,
        has_attachments: false,
        attachment_count: 0,
    },
};

export const email = {
    from: "ada@example.org",
    to: created.address,
    subject: "Hello",
    text_body: "Your code is 482913.",
    html_body: "",
    headers: { Subject: "Hello" },
    received_at: "2026-01-31T12:00:05Z",
    size_bytes: 10,
    attachments: [],
};
