import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";

/** Sends a mail over SMTP, as any mail server would. The lines of the message end with LF here, and with CRLF on the wire. */
export async function sendMail(server: string, to: string, message: string): Promise<void> {
    const { hostname, port } = new URL(server);
    const socket = connect(Number(port), hostname);
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const step = async (command: string | undefined, expected: string) => {
        if (command !== undefined) socket.write(`${command}\r\n`);
        for (;;) {
            const { value, done } = await lines.next();
            if (done || !value.startsWith(expected)) throw new Error(`${command} got ${value}`);
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
