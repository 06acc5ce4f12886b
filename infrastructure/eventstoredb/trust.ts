/** What keeps two sides from speaking to each other for good: TLS on one side only, or a certificate that nobody trusts. */
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { status } from '@grpc/grpc-js';
import { StoreRefused } from '../../engine/ports/eventStore.js';
import { withoutNote } from './failures.js';
import type { Address } from './nodes.js';

const PROBE_MS = 1_000;
/** OpenSSL's and Node's words about a certificate. */
const UNTRUSTED = /certificate|altnames|unable to get .*issuer/i;
/** What OpenSSL makes of an answer that is no TLS. */
const NO_TLS = /wrong version number|packet length too long|EPROTO|http request/i;
/** Nobody is there, or nobody says anything: no word about TLS. */
const AWAY = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Name resolution/;

/** Undefined: the failure may pass. */
export async function whyNotTrusted(
  address: Address,
  secure: boolean,
  error: Error,
): Promise<StoreRefused | undefined> {
  const { code, details = '' } = error as { code?: number; details?: string };
  if (code !== status.UNAVAILABLE) return undefined;
  const { target } = address;
  if (secure && UNTRUSTED.test(details))
    return new StoreRefused(
      `EventStoreDB at ${target} shows a certificate that is not trusted (${words(details)}): name its authority by tlsCAFile=… in the URL, and the host as the certificate does`,
    );
  if (secure && NO_TLS.test(details))
    return new StoreRefused(
      `EventStoreDB at ${target} does not speak TLS: add ?tls=false to the URL, or set TLS up there`,
    );
  if (!secure && !AWAY.test(details) && (await speaksTls(target)))
    return new StoreRefused(`EventStoreDB at ${target} speaks TLS: take tls=false out of the URL`);
  return undefined;
}

/** Without gRPC's framing and time. */
const words = (details: string): string =>
  withoutNote(details)
    .replace(/^.*Last error: (?:Error: )?/, '')
    .replace(/ \([^()]*Z\)$/, '');

/** Whether a handshake succeeds; no certificate is judged. */
function speaksTls(target: string): Promise<boolean> {
  const colon = target.lastIndexOf(':');
  const host = target.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(target.slice(colon + 1));
  const named = isIP(host) === 0 ? { servername: host } : {};
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...named, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    const end = (answer: boolean): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(answer);
    };
    const late = setTimeout(() => end(false), PROBE_MS);
    socket.once('secureConnect', () => end(true));
    socket.on('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
