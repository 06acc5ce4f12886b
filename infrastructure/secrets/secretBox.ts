import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretBox } from '../../application/ports/secretBox.js';

/** First byte of what is stored; a later format gets the next number, and this one stays readable. */
const VERSION = 1;
const NONCE = 12;
const TAG = 16;
const KEY = 32;

const unreadable = (): never => {
  throw new Error('A stored secret cannot be opened: it was sealed under another master key or for another place.');
};

/**
 * AES-256-GCM. Stored as base64url of: version (1 byte), random nonce (12), tag (16), ciphertext. The version and the
 * context are authenticated, so that a secret moved to another place does not open. `masterKey`: 32 bytes.
 */
export function createSecretBox(masterKey: Uint8Array): SecretBox {
  if (masterKey.length !== KEY) throw new Error('The master key must be 32 bytes.');
  const key = Buffer.from(masterKey);
  const bound = (version: number, context: string): Buffer => Buffer.concat([Buffer.of(version), Buffer.from(context)]);
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG });
      cipher.setAAD(bound(VERSION, context));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < 1 + NONCE + TAG || bytes[0] !== VERSION) unreadable();
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE), { authTagLength: TAG });
      decipher.setAAD(bound(VERSION, context));
      decipher.setAuthTag(bytes.subarray(1 + NONCE, 1 + NONCE + TAG));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE + TAG)), decipher.final()]).toString('utf8');
      } catch {
        return unreadable();
      }
    },
  };
}
