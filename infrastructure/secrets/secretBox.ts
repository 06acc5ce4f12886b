import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { SealingKeys } from '../../application/ports/sealingKeys.js';
import type { SecretBox } from '../../application/ports/secretBox.js';
import { randomOf } from '../../engine/sealing/randomPool.js';

/**
 * First byte of what is stored; a later format gets the next number, and these stay readable. 1: the seals from before keys had
 * ids. 2: the id of the key follows.
 */
const WITHOUT_ID = 1;
const VERSION = 2;
const ID = 8;
const NONCE = 12;
const TAG = 16;
const KEY = 32;

/** Identifies a key without revealing anything about it. */
const idOf = (key: Uint8Array): Buffer =>
  createHmac('sha256', key).update('suuq master key id').digest().subarray(0, ID);

const FOR_ANOTHER_PLACE =
  'A stored secret cannot be opened: it was encrypted with another master key, or for another purpose.';

const unreadable = (why = FOR_ANOTHER_PLACE): never => {
  throw new Error(why);
};

interface MasterKey {
  readonly key: Buffer;
  readonly id: Buffer;
}

function masterKeyOf(key: Uint8Array): MasterKey {
  if (key.length !== KEY) throw new Error('The master key must be 32 bytes.');
  return { key: Buffer.from(key), id: idOf(key) };
}

/** `bound`: text that is authenticated with it. `rest`: nonce, tag and ciphertext. */
function opened(key: Buffer, bound: Buffer, rest: Buffer): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(bound);
  decipher.setAuthTag(rest.subarray(NONCE, NONCE + TAG));
  try {
    return Buffer.concat([decipher.update(rest.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/**
 * AES-256-GCM. Stored as base64url of: version (1 byte), id of the master key (8), random nonce (12), tag (16), ciphertext. All
 * before the nonce and the context are authenticated, so that a secret moved to another place does not open. `current`: the
 * master key that seals, 32 bytes; the others only open.
 */
export function createSecretBox(current: Uint8Array, ...others: readonly Uint8Array[]): SecretBox & SealingKeys {
  const sealing = masterKeyOf(current);
  const keys = [sealing, ...others.map(masterKeyOf)];
  const head = Buffer.concat([Buffer.of(VERSION), sealing.id]);
  const known = (id: Buffer): MasterKey =>
    keys.find((one) => one.id.equals(id)) ??
    unreadable(
      `A stored secret cannot be opened: it was encrypted with the master key ${id.toString('hex')}, but the configured keys are ${keys
        .map((one) => one.id.toString('hex'))
        .join(', ')}. Add that master key.`,
    );

  function withId(bytes: Buffer, context: string): string | undefined {
    if (bytes.length < 1 + ID + NONCE + TAG) return unreadable();
    const { key, id } = known(bytes.subarray(1, 1 + ID));
    return opened(key, Buffer.concat([Buffer.of(VERSION), id, Buffer.from(context)]), bytes.subarray(1 + ID));
  }
  function withoutId(bytes: Buffer, context: string): string | undefined {
    if (bytes.length < 1 + NONCE + TAG) return unreadable();
    const bound = Buffer.concat([Buffer.of(WITHOUT_ID), Buffer.from(context)]);
    for (const { key } of keys) {
      const plain = opened(key, bound, bytes.subarray(1));
      if (plain !== undefined) return plain;
    }
    return undefined;
  }

  return {
    current: sealing.id.toString('hex'),
    others: keys.slice(1).map(({ id }) => id.toString('hex')),
    isCurrent: (sealed) => Buffer.from(sealed, 'base64url').subarray(0, head.length).equals(head),
    seal(plain, context) {
      const nonce = randomOf(NONCE);
      const cipher = createCipheriv('aes-256-gcm', sealing.key, nonce, { authTagLength: TAG });
      cipher.setAAD(Buffer.concat([head, Buffer.from(context)]));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes[0] === VERSION) return withId(bytes, context) ?? unreadable();
      if (bytes[0] === WITHOUT_ID) return withoutId(bytes, context) ?? unreadable();
      return unreadable();
    },
  };
}
