/** Calls the demo store of a service process, as the store's own programs do. */
import type { Demo } from '../../../harness/service/serviceProcess.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by tests
  readonly body: any;
}

/** `path` is relative to the store. The answer's `body` is undefined if the response has none. */
export async function callStore(
  baseUrl: string,
  { store }: Demo,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(`${baseUrl}/api/v1/workspaces/${store.workspaceId}${path}`, {
    method,
    headers: { authorization: `Bearer ${store.secretKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}
