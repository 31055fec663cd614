import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { needs, settingOf } from "./settings.js";

/** The schemas of the document, and whether our type of each is the same: both can be assigned to each other. */
const SAME = `
import type * as ours from "oneshot-client";
import type { components, operations } from "./generated.js";

type Schemas = components["schemas"];
type Same<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
type Flat<T> = T extends object ? { [K in keyof T]: Flat<Exclude<T[K], undefined>> } : T;
type Content = Pick<ours.Email, keyof Schemas["Email"]>;

export const same: { [Name in Exclude<keyof Schemas, "Error" | "EmptyObject">]: true } = {
  Account: true satisfies Same<ours.Account, Schemas["Account"]>,
  AccountLimits: true satisfies Same<ours.AccountLimits, Schemas["AccountLimits"]>,
  Address: true satisfies Same<ours.Address, Schemas["Address"]>,
  AddressPage: true satisfies Same<ours.AddressPage, Schemas["AddressPage"]>,
  ApiKey: true satisfies Same<ours.ApiKey, Schemas["ApiKey"]>,
  Attachment: true satisfies Same<ours.Attachment, Schemas["Attachment"]>,
  BuyCredits: true satisfies Same<{ credits: Parameters<ours.OneshotClient["buyCredits"]>[0] }, Schemas["BuyCredits"]>,
  CreateAddress: true satisfies Same<ours.CreateAddress, Schemas["CreateAddress"]>,
  CreatedAddress: true satisfies Same<ours.CreatedAddress, Schemas["CreatedAddress"]>,
  CreditsAdded: true satisfies Same<ours.CreditsAdded, Schemas["CreditsAdded"]>,
  Email: true satisfies Same<Content, Schemas["Email"]>,
  ErrorDetail: true satisfies Same<{ code: string; message: string; upgrade_url?: string | null }, Schemas["ErrorDetail"]>,
  EmailSummary: true satisfies Same<ours.EmailSummary, Schemas["EmailSummary"]>,
  Send: true satisfies Same<ours.Send, Schemas["Send"]>,
  SendAttachment: true satisfies Same<ours.SendAttachment, Schemas["SendAttachment"]>,
};

type Query = Omit<NonNullable<operations["listAddresses"]["parameters"]["query"]>, "cursor">;
export const filter: true = true satisfies Same<ours.AddressFilter, Query>;

export const calls: { [Name in Exclude<keyof operations, "headAttachment" | "headRawEmail">]: true } = {
  createAddress: true satisfies Has<"createAddress">,
  getAddress: true satisfies Has<"getAddress">,
  listAddresses: true satisfies Has<"listAddresses">,
  deleteAddress: true satisfies Has<"deleteAddress">,
  deleteAddressesByLabel: true satisfies Has<"deleteAddressesByLabel">,
  getEmail: true satisfies Has<"getEmail">,
  getRawEmail: true satisfies Has<"getRawEmail">,
  getAttachment: true satisfies Has<"getAttachment">,
  getAccount: true satisfies Has<"getAccount">,
  buyCredits: true satisfies Has<"buyCredits">,
  replaceApiKey: true satisfies Has<"replaceApiKey">,
};
type Has<Name> = Name extends keyof ours.OneshotClient ? true : false;
`;

test("the types are those of the OpenAPI document", needs("OPENAPI"), async () => {
    await compile({ generated: astToString(await openapiTS(await readDocument())), same: SAME });
});

test("a difference from the OpenAPI document is found", needs("OPENAPI"), async () => {
    const changed = astToString(await openapiTS(await readDocument()))
        .replaceAll("credits_added: number;", "")
        .replaceAll("contact_email?: string;", "contact_email?: string; more: string;")
        .replaceAll("content_type: string;", "content_type?: string;");

    await assert.rejects(compile({ generated: changed, same: SAME }), (error: Error) => {
        const wrong = [...error.message.matchAll(/same\.ts\((\d+),/g)].map(
            ([, line]) => SAME.split("\n")[Number(line) - 1],
        );
        const names = wrong.map((line) => line?.trim().split(":")[0]);
        assert.deepEqual(
            names,
            ["Account", "Attachment", "CreditsAdded", "Email", "Send", "SendAttachment", "CreateAddress"].sort(
                (a, b) => SAME.indexOf(`  ${a}:`) - SAME.indexOf(`  ${b}:`),
            ),
        );
        return true;
    });
});

test("what openapi-typescript makes of the OpenAPI document compiles", needs("OPENAPI"), async () => {
    await compile({ generated: astToString(await openapiTS(await readDocument())) });
});

async function readDocument(): Promise<string> {
    const document = settingOf("OPENAPI");
    if (!/^https?:/.test(document)) return readFile(document, "utf8");
    const response = await fetch(document);
    assert.equal(response.status, 200);
    return response.text();
}

/** Compiles the sources by the settings of the package, and throws with what the compiler says. */
async function compile(sources: Record<string, string>): Promise<void> {
    const folder = await mkdtemp("build/openapi-");
    try {
        const settings = {
            extends: "../../tsconfig.json",
            compilerOptions: { composite: false, noEmit: true, rootDir: ".", noUnusedLocals: false },
            include: ["."],
        };
        await writeFile(`${folder}/tsconfig.json`, JSON.stringify(settings));
        for (const [name, source] of Object.entries(sources)) await writeFile(`${folder}/${name}.ts`, source);
        await promisify(execFile)("node_modules/.bin/tsc", ["-p", folder]).catch((error: { stdout: string }) => {
            throw new Error(error.stdout);
        });
    } finally {
        await rm(folder, { recursive: true });
    }
}
