import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How projects compile: the module, its resolution, and the kind of the package. */
const PROJECTS = {
    node10: { module: "CommonJS", moduleResolution: "Node10", type: "commonjs" },
    "node16, CommonJS": { module: "Node16", moduleResolution: "Node16", type: "commonjs" },
    "node16, ES modules": { module: "Node16", moduleResolution: "Node16", type: "module" },
    bundler: { module: "ESNext", moduleResolution: "Bundler", type: "module" },
};

const USE = `
import { AwaitTimeoutError, type CreateAddress, Email, OneshotClient } from "oneshot-client";
import { expect, Mailbox, test } from "oneshot-client/playwright";
import { oneshotTasks } from "oneshot-client/cypress/tasks";

const client = new OneshotClient({ baseUrl: process.env["ONESHOT_BASE_URL"], apiKey: process.env["ONESHOT_API_KEY"] });
const label: string | undefined = process.env["LABEL"];
const request: CreateAddress = { label, ttl_seconds: undefined };
export async function code(): Promise<string | undefined> {
    const { id } = await client.createAddress(request);
    try {
        const email: Email = await client.awaitEmail(id, { timeoutMs: undefined, signal: undefined });
        return email.code()?.value;
    } catch (error) {
        if (error instanceof AwaitTimeoutError) return error.message;
        throw error;
    }
}
test("a mailbox", async ({ mailbox, createMailbox }) => {
    const admin: Mailbox = await createMailbox({ label });
    expect(await mailbox.awaitCode()).toBe(await admin.awaitCode({ timeoutMs: 5_000 }));
});
export const tasks = oneshotTasks({ apiKey: undefined });
`;

const CYPRESS = `
import "oneshot-client/cypress";

describe("sign-up", () => {
    it("confirms", () => {
        cy.createMailbox({ label: undefined }).then((mailbox) => {
            cy.get("#email").type(mailbox.address);
            cy.awaitCode(mailbox, { timeoutMs: 30_000 }).then((code) => cy.get("#code").type(code));
            cy.awaitEmail(mailbox).its("subject").should("eq", "Welcome");
            cy.awaitVerificationLink(mailbox).then((href) => cy.visit(href));
        });
        // @ts-expect-error A mailbox is needed.
        cy.awaitCode();
    });
});
`;

const CYPRESS_CONFIG = `
import { defineConfig } from "cypress";
import { oneshotTasks } from "oneshot-client/cypress/tasks";

export default defineConfig({ e2e: { setupNodeEvents: (on) => on("task", { ...oneshotTasks() }) } });
`;

const JEST = `
const { AwaitTimeoutError, Email } = require("oneshot-client");

test("finds a code", () => {
    const email = new Email({ subject: "Hi", text_body: "Your code is 482913.", html_body: "", headers: {} });
    expect(email.code().value).toBe("482913");
    expect(new AwaitTimeoutError("late").name).toBe("AwaitTimeoutError");
});
`;

const TS_JEST = `
import { type Code, Email, OneshotClient } from "oneshot-client";

test("finds a code", () => {
    const mail = { from: "", to: "", subject: "Hi", text_body: "Your code is 482913.", html_body: "", headers: {} };
    const email = new Email({ ...mail, received_at: "", size_bytes: 0, attachments: [] });
    const code: Code | undefined = email.code();
    expect(code?.value).toBe("482913");
    expect(() => new OneshotClient({ apiKey: "key" })).toThrow("no baseUrl");
});
`;

describe("projects that install the package", () => {
    let folder: string;
    let files: string[];

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "oneshot-consumers-"));
        // The build of this test is what is packed.
        const packed = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]);
        const [{ filename, files: content }] = JSON.parse(packed.stdout);
        files = content.map(({ path }: { path: string }) => path);
        await write("package.json", {
            private: true,
            devDependencies: {
                "@playwright/test": "1.65.1",
                "@types/jest": "^30.0.0",
                "@types/node": "20.19.43",
                cypress: "^15.0.0",
                jest: "^30.0.0",
                "oneshot-client": `file:${filename}`,
                "ts-jest": "^29.4.0",
                typescript: "5.9.3",
            },
        });
        // The types of Cypress are needed, and not its program, which a script would download.
        const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
        await run("npm", install, { cwd: folder, maxBuffer: 1 << 26 });
    });

    after(() => rm(folder, { recursive: true, force: true }));

    test("the package has its documentation, its licence, and nothing but what is built", () => {
        assert.deepEqual(
            files.filter((path) => !path.startsWith("dist/")),
            ["LICENSE", "README.md", "package.json"],
        );
        for (const entry of ["index", "playwright/index", "cypress/index", "cypress/tasks"])
            for (const kind of ["dist", "dist/cjs"])
                for (const end of ["js", "d.ts"]) assert.ok(files.includes(`${kind}/${entry}.${end}`));
    });

    for (const [name, { type, ...options }] of Object.entries(PROJECTS)) {
        test(`types with ${name}`, async () => {
            const project = `types/${name}`;
            await write(`${project}/package.json`, { type });
            await write(`${project}/use.ts`, USE);
            await compile(project, { ...options, types: ["node"] });
        });
    }

    test("types of the commands for Cypress", async () => {
        await write("cypress/sign-up.cy.ts", CYPRESS);
        await write("cypress/cypress.config.ts", CYPRESS_CONFIG);
        // The types of Cypress do not compile with all checks.
        await compile("cypress", {
            module: "ESNext",
            moduleResolution: "Bundler",
            types: ["cypress", "node"],
            skipLibCheck: true,
        });
    });

    test("Jest", async () => {
        await write("jest/code.test.js", JEST);
        await write("jest/package.json", { jest: { testEnvironment: "node" } });
        await jest("jest");
    });

    test("ts-jest", async () => {
        await write("ts-jest/code.test.ts", TS_JEST);
        await write("ts-jest/package.json", { jest: { preset: "ts-jest", testEnvironment: "node" } });
        await write("ts-jest/tsconfig.json", { compilerOptions: { strict: true, esModuleInterop: true } });
        await jest("ts-jest");
    });

    async function write(name: string, content: unknown): Promise<void> {
        const path = join(folder, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    }

    async function compile(project: string, options: Record<string, unknown>): Promise<void> {
        const strict = { strict: true, exactOptionalPropertyTypes: true, target: "ES2022", noEmit: true };
        await write(`${project}/tsconfig.json`, { compilerOptions: { ...strict, ...options } });
        await node("node_modules/typescript/bin/tsc", "-p", project);
    }

    async function jest(project: string): Promise<void> {
        const output = await node("node_modules/jest/bin/jest.js", "--rootDir", project, "-c", `${project}/package.json`);
        assert.match(output, /Tests: +1 passed, 1 total/);
    }

    /** Runs a program of the project, and returns its output. */
    async function node(...program: string[]): Promise<string> {
        const { stdout, stderr } = await run(process.execPath, program, { cwd: folder }).catch(
            (error: { stdout: string; stderr: string }) => {
                throw new Error(error.stdout + error.stderr);
            },
        );
        return stdout + stderr;
    }
});
