import { ProviderError } from '../../application/ports/catalogProvider.js';
import { record } from '../untypedJson.js';
import type { ProviderCall, ProviderHttp } from './providerHttp.js';

export interface Listing extends Pick<ProviderCall, 'accessToken' | 'signal'> {
  /** With a query. */
  readonly path: string;
  /** Name of the listed items, for error sentences. */
  readonly what: string;
  readonly mostPages: number;
}

/**
 * A list of the provider, page by page; the next page by its cursor and never by an address that the answer names. Throws
 * `ProviderError` 'bad_answer' when it goes on after `mostPages`, or an answer has no list: that is not an empty one.
 */
export async function* pagesOf(
  http: ProviderHttp,
  { path, what, mostPages, accessToken, signal }: Listing,
): AsyncGenerator<readonly unknown[]> {
  let after = '';
  for (let page = 0; page < mostPages; page++) {
    const answer = await http.call({ method: 'GET', path: path + after, accessToken, signal });
    if (!Array.isArray(answer.data))
      throw new ProviderError('bad_answer', `The provider answered no list of ${what}.`, true);
    yield answer.data;
    const paging = record(answer.paging);
    const cursor = record(paging?.cursors)?.after;
    if (paging?.next === undefined || typeof cursor !== 'string') return;
    after = `&after=${encodeURIComponent(cursor)}`;
  }
  throw new ProviderError('bad_answer', `The list of ${what} has more than ${mostPages} pages.`, true);
}
