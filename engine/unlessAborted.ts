/** Returns the result of the work. Rejects with the signal's reason on abort, for work that ignores the signal. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let end: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
  return Promise.race([work, ended]).finally(() => signal.removeEventListener('abort', end));
}
