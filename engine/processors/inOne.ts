/** A question whose askers within one turn of the event loop share the answer, which is asked for after all of them. */
export function inOne<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      asking = undefined;
      return ask();
    });
    return asking;
  };
}
