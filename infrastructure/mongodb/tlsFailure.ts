/** Permanent failures between the driver and a server: a certificate, or TLS on one side only. */
import { connect } from 'node:net';
import { BSON, type MongoServerSelectionError, type ServerDescription, type TopologyDescription } from 'mongodb';
import { StoreRefused } from '../../engine/ports/eventStore.js';
import { hostAndPort, isDistrust, isNoTls, speaksTls } from '../tlsProbe.js';

const PROBE_MS = 1_000;
/** Nobody is there, or nobody answers at all. */
const AWAY = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/;

type Verdict = 'away' | string | undefined;

/**
 * Why no server could be selected, where waiting is in vain: each server that is there refuses for such a reason.
 * Undefined where the failure may pass.
 */
export async function tlsFailure(error: MongoServerSelectionError, tls: boolean): Promise<StoreRefused | undefined> {
  const servers = [...((error.reason as TopologyDescription | undefined)?.servers.values() ?? [])];
  if (servers.some(({ type }) => type !== 'Unknown')) return undefined;
  const verdicts = (await Promise.all(servers.map((server) => verdictOn(server, tls)))).filter((one) => one !== 'away');
  return verdicts[0] !== undefined && verdicts.every((one) => one !== undefined)
    ? new StoreRefused(verdicts[0])
    : undefined;
}

async function verdictOn({ address, error }: ServerDescription, tls: boolean): Promise<Verdict> {
  // Unknown, if the server did not answer in time.
  const { message = '', cause } = error ?? {};
  const words = `${message} ${(cause as { code?: string } | undefined)?.code ?? ''}`;
  if (AWAY.test(words)) return 'away';
  if (tls && isDistrust(words))
    return `MongoDB at ${address} has a certificate that is not trusted (${message}): set its authority with tlsCAFile=… in MONGODB_URL, and use the host name of the certificate`;
  if (tls && (isNoTls(words) || (await speaksPlainly(address))))
    return `MongoDB at ${address} does not use TLS: remove tls=true from MONGODB_URL, or enable TLS on the server`;
  if (!tls && (await speaksTls(address))) return `MongoDB at ${address} uses TLS: add tls=true to MONGODB_URL`;
  return undefined;
}

/** The question of every driver, as one message. */
function hello(): Buffer {
  const document = BSON.serialize({ hello: 1, $db: 'admin' });
  const head = Buffer.alloc(21);
  for (const [i, word] of [head.length + document.length, 1, 0, 2013].entries()) head.writeInt32LE(word, 4 * i);
  return Buffer.concat([head, document]);
}

/** True if a request without TLS is answered in the protocol. */
function speaksPlainly(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(hostAndPort(address));
    const end = (answer: boolean): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(answer);
    };
    const late = setTimeout(() => end(false), PROBE_MS);
    socket.once('connect', () => socket.write(hello()));
    // The second word of the head is the number of the answer, the third that of the question.
    socket.once('data', (bytes: Buffer) => end(bytes.length >= 12 && bytes.readInt32LE(8) === 1));
    socket.on('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
