/** Watches the memory of the process, for work whose own limit does not count all that it allocates. */

/** Between two polls, in ms. */
const POLL_MS = 10;
const MB = 1_000_000;

/** Bytes that neither JavaScript's heap nor its buffers hold: garbage there is no reason to stop anything. */
const outsideJavaScript = (): number => {
  const { rss, heapTotal, external } = process.memoryUsage();
  return rss - heapTotal - external;
};

/** Calls `over` once when `measured` has grown by more than `mostMb` since now. Returns what ends the watch. */
function watch(measured: () => number, mostMb: number, over: () => void): () => void {
  const most = measured() + mostMb * MB;
  const timer = setInterval(() => {
    // Cheap, and never less than what is measured.
    if (process.memoryUsage.rss() <= most || measured() <= most) return;
    clearInterval(timer);
    over();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Watches memory of native code, such as DuckDB's. */
export const watchNativeMemory = (mostMb: number, over: () => void): (() => void) =>
  watch(outsideJavaScript, mostMb, over);

/** Watches memory of the whole process. */
export const watchMemory = (mostMb: number, over: () => void): (() => void) =>
  watch(() => process.memoryUsage.rss(), mostMb, over);
