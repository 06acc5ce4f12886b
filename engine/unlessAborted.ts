/** What the work answers; rejects with the signal's reason as soon as it aborts, for work that does not look at it. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let end: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
  return Promise.race([work, ended]).finally(() => signal.removeEventListener('abort', end));
}
