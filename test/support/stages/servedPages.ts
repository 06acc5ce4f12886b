/** Pages as browsers and crawlers get them. */
import { get, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { send } from './sampleApi.js';

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Unlike fetch it takes the bytes as they come: compressed ones stay so. */
export const got = (url: string, headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    get(url, { headers }, async (answer) => {
      resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(await answer.toArray()) });
    }).on('error', reject);
  });

/** The text of a page that must be there. */
export async function pageText({ url }: { readonly url: string }, path: string): Promise<string> {
  const { status, text } = await send(url + path, 'GET');
  expect(status, path).to.equal(200);
  return text;
}
