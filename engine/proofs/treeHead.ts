/**
 * Signed tree heads: a hash of 32 bytes that fixes the content of a log at a time. docs/concepts/proofs.md documents
 * the layout.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

export interface TreeHead {
  /** Number of covered events, from the beginning of the log. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly rootHash: string;
  /** Time of the signature, RFC 3339 in UTC with ms. */
  readonly time: string;
  /** 16 hexadecimal digits. */
  readonly keyId: string;
}

export interface SignedHead extends TreeHead {
  /** Ed25519, 64 bytes in base64. */
  readonly signature: string;
}

/** Signed text: ASCII lines, each terminated by LF. */
const textOf = ({ size, rootHash, time, keyId }: TreeHead): Buffer =>
  Buffer.from(`suuq tree head v1\n${size}\n${rootHash}\n${time}\n${keyId}\n`);

const RAW_BYTES = 32;
/** Prefix of an Ed25519 public key in SPKI form (RFC 8410). The 32 bytes of the key follow. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Returns the first 8 bytes of the SHA-256 of a public key, in hexadecimal digits. `publicKey`: 32 bytes in base64. */
export const keyIdOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16);

export interface NewKey {
  readonly keyId: string;
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** PKCS 8 in base64; a secret. */
  readonly privateKey: string;
}

export function newKey(): NewKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES).toString('base64');
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return { keyId: keyIdOf(raw), publicKey: raw, privateKey: secret };
}

/** Signs with Ed25519 and returns base64. `privateKey`: as returned by `newKey`. */
export function signText(text: Buffer, privateKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  return sign(null, text, key).toString('base64');
}

export const signHead = (head: TreeHead, privateKey: string): SignedHead => ({
  ...head,
  signature: signText(textOf(head), privateKey),
});

/**
 * Returns true if the owner of the public key (32 bytes in base64) signed the text. `of`: the signed head or statement.
 */
export function isSignedText(text: Buffer, of: Pick<SignedHead, 'keyId' | 'signature'>, publicKey: string): boolean {
  try {
    const raw = Buffer.from(publicKey, 'base64');
    if (raw.length !== RAW_BYTES || keyIdOf(publicKey) !== of.keyId) return false;
    const key = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
    return verify(null, text, key, Buffer.from(of.signature, 'base64'));
  } catch {
    return false;
  }
}

/** Returns true if the owner of this public key (32 bytes in base64) signed the head. */
export const isSignedBy = (head: SignedHead, publicKey: string): boolean => isSignedText(textOf(head), head, publicKey);

const isText = (value: unknown, shape: RegExp): value is string => typeof value === 'string' && shape.test(value);

/** Parses a head that was received from outside. Returns undefined if it is invalid. */
export function headIn(value: unknown): SignedHead | undefined {
  const { size, rootHash, time, keyId, signature } = (value ?? {}) as Partial<Record<keyof SignedHead, unknown>>;
  if (!Number.isSafeInteger(size) || (size as number) < 0) return undefined;
  if (!isText(rootHash, /^[0-9a-f]{64}$/) || !isText(keyId, /^[0-9a-f]{16}$/)) return undefined;
  if (!isText(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) || Number.isNaN(Date.parse(time))) return undefined;
  if (!isText(signature, /^[A-Za-z0-9+/]{86}==$/)) return undefined;
  return { size: size as number, rootHash, time, keyId, signature };
}
