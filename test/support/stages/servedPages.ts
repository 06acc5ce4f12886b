/** Pages as browsers and crawlers receive them. */
import { get, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { send } from './sampleApi.js';

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Gets a page without decompressing it, unlike fetch. */
export const got = (url: string, headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    get(url, { headers }, async (answer) => {
      resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(await answer.toArray()) });
    }).on('error', reject);
  });

/** Returns the text of a page, which must exist. */
export async function pageText({ url }: { readonly url: string }, path: string): Promise<string> {
  const { status, text } = await send(url + path, 'GET');
  expect(status, path).to.equal(200);
  return text;
}
