import { createHash, timingSafeEqual } from 'node:crypto';
import { type Metadata, status } from '@grpc/grpc-js';
import { Refusal } from './refusal.js';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Methods of the streams service that read. All others write. */
const READING = 'read';

/** Answers why a call is not let in; undefined: it is. Takes as long for a wrong password as for a right one. */
export function gate(credentials: Credentials | undefined): (metadata: Metadata) => Refusal | undefined {
  if (credentials === undefined) return () => undefined;
  const right = digest(`${credentials.user}:${credentials.password}`);
  return (metadata) => {
    const [scheme = '', token = ''] = String(metadata.get('authorization')[0] ?? '').split(' ');
    const given = digest(Buffer.from(token, 'base64').toString('utf8'));
    if (timingSafeEqual(given, right) && scheme.toLowerCase() === 'basic') return undefined;
    return new Refusal(status.UNAUTHENTICATED, 'Unknown', 'this endpoint needs a user name and the password to it');
  };
}

/** Admits calls that only read. Writes are refused with a sentence on how an operator allows them. */
export function readingGate(
  check: ReturnType<typeof gate>,
): (metadata: Metadata, method: string) => Refusal | undefined {
  const refusal = new Refusal(
    status.PERMISSION_DENIED,
    'Unknown',
    'this endpoint is read-only; start the service with EVENTSTORE_ENDPOINT_WRITE=1 to allow writes',
    { exception: 'access-denied' },
  );
  return (metadata, method) => check(metadata) ?? (method === READING ? undefined : refusal);
}
