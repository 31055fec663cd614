const SHARE = 0.8;
export function within(ms, outer, late, work) {
    if (outer?.aborted)
        return Promise.reject(outer.reason);
    return new Promise((resolve, reject) => {
        const controller = new AbortController();
        const end = () => {
            clearTimeout(timer);
            outer?.removeEventListener("abort", onAbort);
        };
        const stop = (reason) => {
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
export function pause(ms, signal) {
    return new Promise((resolve, reject) => {
        if (signal?.aborted)
            return reject(signal.reason);
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
export class PollPacing {
    #msBetween = 0;
    #next = 0;
    learn(response) {
        const policy = /;\s*q=([0-9]{1,9})\s*;\s*w=([0-9]{1,9})/.exec(response.get("RateLimit-Policy") ?? "");
        if (policy) {
            const perSecond = Math.max(1, Number(policy[1])) / Math.max(1, Number(policy[2]));
            this.#msBetween = 1000 / (SHARE * perSecond);
        }
    }
    turn() {
        const turn = Math.max(this.#next, performance.now());
        this.#next = turn + this.#msBetween;
        return turn;
    }
}
