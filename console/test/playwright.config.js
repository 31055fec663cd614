import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const chromium = process.env["CHROMIUM"] ?? browsers.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

export default defineConfig({
    testMatch: /\.spec\.js$/,
    outputDir: "../build/results",
    reporter: "line",
    // An address lives for a minute at least, and machines are slow.
    timeout: 600_000,
    expect: { timeout: 60_000 },
    // They mostly wait, one of them for a minute.
    fullyParallel: true,
    workers: 3,
    forbidOnly: true,
    use: {
        ...(process.env["CONSOLE"] ? { baseURL: process.env["CONSOLE"] } : {}),
        viewport: { width: 1280, height: 800 },
        permissions: ["clipboard-read", "clipboard-write"],
        launchOptions: {
            ...(chromium ? { executablePath: chromium } : {}),
            args: [
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        },
    },
});
