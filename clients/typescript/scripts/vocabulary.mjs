// Writes src/vocabulary.ts, the words of clients/cases/words.txt as a module, so that the client needs no file at run time.
import { readFileSync, writeFileSync } from "node:fs";

const cases = process.env.CASES ?? "../cases";
const lines = readFileSync(`${cases}/words.txt`, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "));
const text = lines.map((line) => `    ${JSON.stringify(line)},`).join("\n");
writeFileSync(
    "src/vocabulary.ts",
    `// Generated from clients/cases/words.txt by npm run vocabulary. Do not edit.\nexport const VOCABULARY: readonly string[] = [\n${text}\n];\n`,
);
