/** Options of a server, as it reports them to an administrator, or to anyone if it is insecure: `GET /info/options`. */
import { request as plainRequest } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { authorizationOf, type Way } from './dialling.js';
import type { Address } from './nodes.js';

const ASK_MS = 2_000;
const MOST_CHARS = 1024 * 1024;
const PATH = '/info/options';

/** Limits of appends in bytes; a limit that the server does not report is absent. */
export interface ServerLimits {
  readonly append?: number;
  readonly event?: number;
}

/** Empty if this user may not read the options, or the server does not answer within 2 s. Never rejects, since the limits are optional. */
export async function readLimits(address: Address, way: Way): Promise<ServerLimits> {
  try {
    return limitsIn(JSON.parse(await fetchText(address, way)));
  } catch {
    return {};
  }
}

/** Limits in the server's list of options, `{name, value}` each. */
export function limitsIn(options: unknown): ServerLimits {
  const values = new Map<string, string>();
  if (Array.isArray(options))
    for (const { name, value } of options as { name?: unknown; value?: unknown }[])
      if (typeof name === 'string') values.set(name.replace(/[^A-Za-z]/g, '').toLowerCase(), String(value));
  const bytes = (name: string): number | undefined => {
    const text = values.get(name) ?? '';
    return /^\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
  };
  const append = bytes('maxappendsize');
  const event = bytes('maxappendeventsize');
  return { ...(append !== undefined && { append }), ...(event !== undefined && { event }) };
}

function fetchText({ target, name }: Address, way: Way): Promise<string> {
  const colon = target.lastIndexOf(':');
  const host = target.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(target.slice(colon + 1));
  const authorization = authorizationOf(way);
  const shown = name ?? host;
  const options: RequestOptions = {
    host,
    port,
    path: PATH,
    agent: false,
    timeout: ASK_MS,
    signal: AbortSignal.timeout(ASK_MS),
    headers: { accept: 'application/json', host: target, ...(authorization !== undefined && { authorization }) },
    ...way.certificates,
    ...(isIP(shown) === 0 && { servername: shown }),
  };
  return new Promise((resolve, reject) => {
    const request = (way.secure ? secureRequest : plainRequest)(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (more: string) => {
        text += more;
        if (text.length > MOST_CHARS) request.destroy(new Error('the answer is too long'));
      });
      answer.on('error', reject);
      answer.on('end', () => (answer.statusCode === 200 ? resolve(text) : reject(new Error('not reported'))));
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error('silent')));
    request.end();
  });
}
