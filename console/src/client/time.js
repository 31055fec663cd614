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
