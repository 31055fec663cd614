import { defineConfig } from "@playwright/test";
import type { ClientOptions } from "oneshot-client";
import { settingOf, settings } from "../settings.js";

export default defineConfig<object, { oneshotOptions: ClientOptions }>({
    testMatch: /\.spec\.(js|ts)$/,
    timeout: 300_000,
    expect: { timeout: 60_000 },
    workers: 1,
    use: {
        oneshotOptions: { baseUrl: settingOf("API"), apiKey: settingOf("KEY") },
        launchOptions: {
            ...(settings.CHROMIUM ? { executablePath: settings.CHROMIUM } : {}),
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
