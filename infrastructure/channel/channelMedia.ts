/** Files of the channel over its HTTP protocol. (shared reference: 'Media'.) */
import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { ChannelMedia, MediaPlace } from '../../application/ports/channelMedia.js';
import { type Clients, clients } from '../http/clients.js';
import { guardedConnector } from '../webhooks/guardedConnector.js';
import { createUrlGuard } from '../webhooks/urlGuard.js';
import { cleanText, cut } from './cleanText.js';
import { mediaAddresses } from './mediaAddresses.js';
import { mediaForm } from './mediaForm.js';
import { createProviderHttp, type ProviderOptions, part } from './providerHttp.js';

export interface ChannelMediaOptions extends ProviderOptions {
  /** Host names where the provider stores files, in addition to its own address. */
  readonly mediaHosts: readonly string[];
  /** Longest time without a byte, and for all bytes of one file, in ms. */
  readonly idleMs?: number;
  readonly totalMs?: number;
}

const HEADERS_MS = 10_000;
const IDLE_MS = 30_000;
const TOTAL_MS = 15 * 60_000;
const CONNECTIONS = 64;
const MOST_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Statuses of an expired address: the channel issues a new one on request. */
const EXPIRED = new Set([401, 403, 404, 410]);

const size = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

function refusalOf(status: number): ProviderError {
  if (EXPIRED.has(status))
    return new ProviderError('media_place_expired', `The address of the file returned HTTP status ${status}.`, true);
  return new ProviderError(
    'bad_answer',
    `The address of the file returned HTTP status ${status}.`,
    status === 429 || status >= 500,
  );
}

/** Ends a download: by the caller, or by one of its deadlines. */
class Ending {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #stop = (): void => this.#controller.abort();
  #timer: NodeJS.Timeout | undefined;
  #late: string | undefined;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (caller?.aborted) this.#stop();
    else caller?.addEventListener('abort', this.#stop);
  }
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  within(ms: number, what: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#late = `No ${what} within ${ms} ms.`;
      this.#controller.abort();
    }, ms);
  }
  over(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#stop);
  }
  /** Maps an error; throws the caller's own reason if the caller has ended the download. */
  meaning(error: unknown): ProviderError {
    this.#caller?.throwIfAborted();
    if (error instanceof ProviderError) return error;
    if (this.#late !== undefined) return new ProviderError('timeout', this.#late, true);
    const code = (error as NodeJS.ErrnoException).code ?? 'no connection';
    return new ProviderError('unreachable', `The address of the file cannot be read (${code}).`, true);
  }
}

/** Passes on the bytes of a download, and ends it with them. */
async function* passedOn(body: Dispatcher.ResponseData['body'], ending: Ending): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Uint8Array;
  } catch (error) {
    throw ending.meaning(error);
  } finally {
    ending.over();
    body.destroy();
  }
}

export function createChannelMedia(options: ChannelMediaOptions): ChannelMedia & { close(): Promise<void> } {
  const { baseUrl, mediaHosts, timeoutMs = HEADERS_MS, idleMs = IDLE_MS, totalMs = TOTAL_MS } = options;
  const http = createProviderHttp(options);
  const kindOf = mediaAddresses(baseUrl, mediaHosts);
  let agents: { readonly own: Agent; readonly host: Agent } | undefined;
  const newAgents = (by: Clients) => ({
    own: new by.Agent({ connections: CONNECTIONS, connect: { timeout: timeoutMs }, bodyTimeout: idleMs }),
    host: new by.Agent({
      connections: CONNECTIONS,
      connect: guardedConnector(by, createUrlGuard()),
      bodyTimeout: idleMs,
    }),
  });

  async function get(url: string, token: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const by = clients();
    agents ??= newAgents(by);
    const agent = agents[kindOf(url)];
    const { origin, pathname, search } = new URL(url);
    return agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      signal,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity', 'user-agent': 'Suuq/1.0' },
    });
  }

  /** Follows redirects within one origin. */
  async function opened(first: string, token: string, signal: AbortSignal): Promise<Dispatcher.ResponseData['body']> {
    let url = first;
    for (let turn = 0; turn <= MOST_REDIRECTS; turn += 1) {
      const { statusCode, headers, body } = await get(url, token, signal);
      if (statusCode === 200) return body;
      await body.dump({ limit: 65_536 }).catch(() => undefined);
      if (!REDIRECTS.has(statusCode)) throw refusalOf(statusCode);
      const next = URL.canParse(String(headers.location), url) ? new URL(String(headers.location), url) : undefined;
      if (next?.origin !== new URL(url).origin)
        throw new ProviderError('media_place_refused', 'The address of the file redirects to another host.', true);
      url = next.href;
    }
    throw new ProviderError('media_place_refused', 'The address of the file redirects in a loop.', true);
  }

  return {
    async locate(mediaId, accessToken, signal): Promise<MediaPlace> {
      const answer = await http.call({ method: 'GET', path: `/${part(mediaId)}`, accessToken, signal });
      const { url, sha256 } = answer;
      const bytes = size(answer.file_size);
      if (typeof url !== 'string' || bytes === undefined)
        throw new ProviderError('bad_answer', 'The channel did not return the address of the file.', true);
      return {
        url,
        mimeType: cleanText(answer.mime_type, 100) ?? 'application/octet-stream',
        size: bytes,
        ...(typeof sha256 === 'string' && sha256 !== '' && { sha256: cut(sha256, 100) }),
      };
    },

    async download(place, accessToken, signal) {
      signal?.throwIfAborted();
      const ending = new Ending(signal);
      try {
        ending.within(timeoutMs, 'answer');
        const body = await opened(place.url, accessToken ?? options.accessToken, ending.signal);
        ending.within(totalMs, 'end of the file');
        return Readable.from(passedOn(body, ending), { objectMode: false }).once('close', () => {
          ending.over();
          body.destroy();
        });
      } catch (error) {
        ending.over();
        throw ending.meaning(error);
      }
    },

    async upload(phoneNumberId, file, accessToken, signal) {
      const body = await mediaForm(file);
      const path = `/${part(phoneNumberId)}/media`;
      try {
        const answer = await http.call({ method: 'POST', path, body, timeoutMs: totalMs, accessToken, signal });
        const { id } = answer;
        if (typeof id !== 'string' || id === '')
          throw new ProviderError('bad_answer', 'The channel accepted the file without returning an id.', true);
        return { mediaId: cut(id, 512) };
      } finally {
        body.content.destroy();
      }
    },

    async close() {
      await Promise.all([http.close(), agents?.own.destroy(), agents?.host.destroy()]);
    },
  };
}
