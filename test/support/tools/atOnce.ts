/** Maximum number of concurrent calls, below the number of connections that a server queues. */
const MOST = 200;

/** Makes `count` calls, up to `MOST` at the same time. Returns their results in no order. */
export async function atOnce<T>(count: number, call: (i: number) => Promise<T>): Promise<T[]> {
  let next = 0;
  const calling = async (): Promise<T[]> => {
    const answers: T[] = [];
    while (next < count) answers.push(await call(next++));
    return answers;
  };
  return (await Promise.all(Array.from({ length: MOST }, calling))).flat();
}
