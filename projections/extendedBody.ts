/**
 * `{ ...body, ...more }`, where `more` mostly has members that `body` lacks. Members that are added behind a spread cost one to three microseconds each
 * (V8 of Node 20): what a checkout adds to an order took longer than all else that is done with it.
 */
export function extended<B extends object, M extends object>(body: B, more: M): Omit<B, keyof M> & M {
  const copy: Record<string, unknown> = {};
  for (const name in body) copy[name] = body[name];
  for (const name in more) copy[name] = more[name];
  return copy as Omit<B, keyof M> & M;
}
