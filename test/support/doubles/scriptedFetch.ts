/** Fetch that answers from a script and records its requests. */

export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Next result: a response or an error. */
export type Scripted =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | Error;

export const problem = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  more: object = {},
): Scripted => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { type: `https://api.example.com/errors/${code}`, title: code, status, code, ...more },
});

/** Returns a fetch that plays the script in order. A request beyond the script fails. */
export function scriptedFetch(...script: readonly Scripted[]) {
  const requests: SentRequest[] = [];
  const waits: number[] = [];
  const fetching = async (url: string, init: RequestInit): Promise<Response> => {
    const next = script[requests.length];
    requests.push({
      url,
      method: init.method!,
      headers: new Headers(init.headers as Record<string, string>),
      body: init.body,
    });
    if (next === undefined) throw new Error(`nobody expected request ${requests.length}: ${init.method} ${url}`);
    if (next instanceof Error) throw next;
    const { status = 200, headers, body } = next;
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, ...(headers && { headers }) });
  };
  const options = {
    baseUrl: 'https://api.example.com/',
    credential: 'sk_test_fixed' as const,
    fetch: fetching,
    wait: async (ms: number) => void waits.push(ms),
    random: () => 1,
  };
  return { asked: requests, waits, options };
}
