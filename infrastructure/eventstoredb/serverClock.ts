/** How far a server's clock is from ours, by the date in its answers. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import type { ConnectionOptions } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { clockDistance } from '../clockDistance.js';
import { targetOf } from './nodes.js';

/** A date in a header is cut off to the second. */
const RESOLUTION_MS = 1_000;

/**
 * Ms by which a host's clock is at least ahead of ours, negative if it is behind. Undefined: no answer within `timeoutMs`, or none with a
 * time.
 */
export function serverClock(
  host: ConnectionOptions['hosts'][number],
  { tls, tlsCAFile }: ConnectionOptions,
  timeoutMs: number,
): Promise<number | undefined> {
  const scheme = tls === false ? 'http' : 'https';
  const ca = tlsCAFile === undefined ? {} : { ca: readFileSync(tlsCAFile) };
  return new Promise((resolve) => {
    const session = connect(`${scheme}://${targetOf(host.address, host.port)}`, ca);
    const end = (ms: number | undefined): void => {
      clearTimeout(late);
      session.destroy();
      resolve(ms);
    };
    const late = setTimeout(() => end(undefined), timeoutMs);
    session.on('error', () => end(undefined));
    let requestedAt = 0;
    session.once('connect', () => {
      requestedAt = Date.now();
      const request = session.request({ ':path': '/info' });
      request.on('error', () => end(undefined));
      request.once('response', ({ date }) => {
        const serverMs = Date.parse(String(date));
        end(
          Number.isNaN(serverMs)
            ? undefined
            : clockDistance(serverMs - Date.now(), serverMs + RESOLUTION_MS - requestedAt),
        );
      });
      request.end();
    });
  });
}
