import {
    AddressExpiredError,
    type ClientOptions,
    type CreateAddress,
    type EmailContent,
    NotFoundError,
    OneshotClient,
} from "oneshot-client";

/** A fresh address of one test. */
export interface Mailbox {
    /** The local part of the address, which names it in calls of the client. */
    id: string;
    /** The full e-mail address, to type into a form. */
    address: string;
}

/** The tasks behind the commands. They run in the process of Node, so that no page gets the API key. */
export interface Tasks {
    "oneshot:createMailbox": (request: CreateAddress) => Promise<Mailbox>;
    "oneshot:awaitEmail": (wait: { id: string; timeoutMs: number }) => Promise<EmailContent>;
    "oneshot:deleteMailboxes": (ids: string[]) => Promise<null>;
}

/**
 * The tasks behind the commands of `oneshot-client/cypress`.
 *
 * @param options those of the client; by default it reads ONESHOT_BASE_URL and ONESHOT_API_KEY
 * @example
 * import { defineConfig } from "cypress";
 * import { oneshotTasks } from "oneshot-client/cypress/tasks";
 *
 * export default defineConfig({ e2e: { setupNodeEvents: (on) => on("task", { ...oneshotTasks() }) } });
 */
export function oneshotTasks(options?: ClientOptions): Tasks {
    let client: OneshotClient | undefined;
    const oneshot = () => (client ??= new OneshotClient(options));
    return {
        "oneshot:createMailbox": async (request) => {
            const { id, address } = await oneshot().createAddress(request);
            return { id, address };
        },
        "oneshot:awaitEmail": async ({ id, timeoutMs }) => ({ ...(await oneshot().awaitEmail(id, { timeoutMs })) }),
        "oneshot:deleteMailboxes": async (ids) => {
            for (const id of ids) {
                await oneshot()
                    .deleteAddress(id)
                    .catch((error: unknown) => {
                        // A test may delete its address itself, or take longer than the address lives.
                        if (!(error instanceof NotFoundError || error instanceof AddressExpiredError)) throw error;
                    });
            }
            return null;
        },
    };
}
