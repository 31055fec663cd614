/*
 * src/client holds the TypeScript client as JavaScript, because the project is built without Node. This checks that it is what the compiler
 * makes of clients/typescript, or with --update replaces it. It also puts the console next to the types of the client, for the type check.
 */
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";

const CHECKED = "build/checked";
const BUILT = `${CHECKED}/client`;
const KEPT = "src/client";
/** Without types, and without the index: it imports all modules, and the console loads some of them later. */
const LEFT_OUT = ["types.js", "index.js"];
/** @param {string[]} files */
const modules = (files) => files.filter((name) => name.endsWith(".js") && !LEFT_OUT.includes(name)).sort();

const built = modules(await readdir(BUILT));
const kept = modules(await readdir(KEPT));
/** @type {string[]} */
const differing = [];
for (const name of new Set([...built, ...kept])) {
    const [made, held] = await Promise.all(
        [`${BUILT}/${name}`, `${KEPT}/${name}`].map((path) => readFile(path, "utf8").catch(() => undefined)),
    );
    if (made === held) continue;
    differing.push(name);
    if (!process.argv.includes("--update")) continue;
    if (made === undefined) await rm(`${KEPT}/${name}`);
    else await writeFile(`${KEPT}/${name}`, made);
}
if (differing.length > 0 && !process.argv.includes("--update")) {
    console.error(
        `console/src/client is not what clients/typescript is: ${differing.join(", ")}. In console/, run: npm run update-client`,
    );
    process.exitCode = 1;
}
for (const name of modules(await readdir("src"))) await copyFile(`src/${name}`, `${CHECKED}/${name}`);
