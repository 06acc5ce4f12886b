/** The demo store of a service that runs as a process, as its own programs call it. */
import type { Demo } from '../../../harness/service/serviceProcess.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by tests
  readonly body: any;
}

/** `path` is below the store's. `body`: undefined where the answer has none. */
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
