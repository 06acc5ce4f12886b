/** Fewer than a server lets wait for a connection. */
const MOST = 200;

/** So many calls, as many of them at once as a server takes; their answers in no order. */
export async function atOnce<T>(count: number, call: (i: number) => Promise<T>): Promise<T[]> {
  let next = 0;
  const calling = async (): Promise<T[]> => {
    const answers: T[] = [];
    while (next < count) answers.push(await call(next++));
    return answers;
  };
  return (await Promise.all(Array.from({ length: MOST }, calling))).flat();
}
