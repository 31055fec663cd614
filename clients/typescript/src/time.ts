const SHARE = 0.8;

/**
 * Runs work with a signal that aborts after `ms` with the reason that `late` gives, or when `outer` aborts with its reason.
 * Rejects at once then, even if the work goes on.
 */
export function within<T>(
    ms: number,
    outer: AbortSignal | undefined,
    late: () => unknown,
    work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
    if (outer?.aborted) return Promise.reject(outer.reason);
    return new Promise((resolve, reject) => {
        const controller = new AbortController();
        const end = () => {
            clearTimeout(timer);
            outer?.removeEventListener("abort", onAbort);
        };
        const stop = (reason: unknown) => {
            end();
            reject(reason);
            controller.abort(reason);
        };
        const onAbort = () => stop(outer?.reason);
        const timer = setTimeout(() => stop(late()), ms);
        outer?.addEventListener("abort", onAbort);
        work(controller.signal).then(resolve, reject).finally(end);
    });
}

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
        }, ms);
        signal?.addEventListener("abort", onAbort);
    });
}

/**
 * Spreads the polls of all waits of a client, so that together they use at most four fifths of the account's rate. The service
 * states the rate in each response (draft-ietf-httpapi-ratelimit-headers).
 */
export class PollPacing {
    #msBetween = 0;
    #next = 0;

    learn(response: Headers): void {
        const policy = /;\s*q=([0-9]{1,9})\s*;\s*w=([0-9]{1,9})/.exec(response.get("RateLimit-Policy") ?? "");
        if (policy) {
            const perSecond = Math.max(1, Number(policy[1])) / Math.max(1, Number(policy[2]));
            this.#msBetween = 1000 / (SHARE * perSecond);
        }
    }

    /** The `performance.now()` of the caller's turn, from now on. */
    turn(): number {
        const turn = Math.max(this.#next, performance.now());
        this.#next = turn + this.#msBetween;
        return turn;
    }
}
