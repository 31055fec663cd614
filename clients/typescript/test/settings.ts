import { existsSync } from "node:fs";

const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Settings of the tests, as environment variables; `.oneshot/try` of a running stack has the first three. */
export const settings = {
    /** The base URL of the API. */
    API: process.env["API"],
    /** An API key of the plan `scale`, or with as much. */
    KEY: process.env["KEY"],
    /** The SMTP server, as in `smtp://127.0.0.1:2525`. */
    SMTP: process.env["SMTP"],
    /** An API key that a test replaces. */
    KEY_TO_REPLACE: process.env["KEY_TO_REPLACE"],
    /** The file or the URL of the OpenAPI document. */
    OPENAPI: process.env["OPENAPI"],
    /** The folder with the case files. */
    CASES: process.env["CASES"] ?? "../cases",
    /** The documentation whose example is run. */
    README: process.env["README"] ?? "../README.md",
    /** A Chromium; by default that of the system. */
    CHROMIUM: process.env["CHROMIUM"] ?? BROWSERS.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path)),
};

/** A setting without which a test does not run. */
export function settingOf(name: keyof typeof settings): string {
    const value = settings[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
}

/** Options of a test that needs these settings. Without them it is skipped, and says so loudly. */
export function needs(...names: (keyof typeof settings)[]): { skip: false | string } {
    const missing = names.filter((name) => !settings[name]);
    if (missing.length === 0) return { skip: false };
    const skip = `no ${missing.join(", no ")}; see test/settings.ts`;
    console.error(`########## NOT TESTED: ${skip} ##########`);
    return { skip };
}
