/** Permanent failures between the two sides: TLS on one side only, or a certificate that is not trusted. */
import { status } from '@grpc/grpc-js';
import { StoreRefused } from '../../engine/ports/eventStore.js';
import { isDistrust, isNoTls, speaksTls } from '../tlsProbe.js';
import { withoutNote } from './failures.js';
import type { Address } from './nodes.js';

/** A server without HTTP/2, which every EventStoreDB speaks. */
const NO_HTTP2 = /Protocol error|no application protocol/;
/** No server, or no answer: unrelated to TLS. */
const AWAY = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Name resolution/;

/** Undefined: the failure may pass. */
export async function tlsFailure(address: Address, secure: boolean, error: Error): Promise<StoreRefused | undefined> {
  const { code, details = '' } = error as { code?: number; details?: string };
  if (code !== status.UNAVAILABLE) return undefined;
  const { target } = address;
  if (secure && isDistrust(details))
    return new StoreRefused(
      `EventStoreDB at ${target} has a certificate that is not trusted (${words(details)}): set its authority with tlsCAFile=… in the URL, and use the host name of the certificate`,
    );
  if (secure && isNoTls(details))
    return new StoreRefused(
      `EventStoreDB at ${target} does not use TLS: add ?tls=false to the URL, or enable TLS on the server`,
    );
  if (!secure && !AWAY.test(details) && (await speaksTls(target, ['h2'])))
    return new StoreRefused(`EventStoreDB at ${target} uses TLS: remove tls=false from the URL`);
  if (NO_HTTP2.test(details))
    return new StoreRefused(
      `the server at ${target} is not EventStoreDB, because it does not use HTTP/2: check host and port in the URL`,
    );
  return undefined;
}

/** Without gRPC's framing and time. */
const words = (details: string): string =>
  withoutNote(details)
    .replace(/^.*Last error: (?:Error: )?/, '')
    .replace(/ \([^()]*Z\)$/, '');
