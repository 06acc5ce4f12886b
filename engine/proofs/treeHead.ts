/** Signed tree heads: what a log held at a moment, in 32 bytes that nobody can take back. docs/concepts/proofs.md has the layout for others. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

export interface TreeHead {
  /** How many events it covers: the first so many of the log. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly rootHash: string;
  /** When it was signed, RFC 3339 in UTC with ms. */
  readonly time: string;
  /** 16 hexadecimal digits. */
  readonly keyId: string;
}

export interface SignedHead extends TreeHead {
  /** Ed25519, 64 bytes in base64. */
  readonly signature: string;
}

/** What is signed: lines of ASCII, each ended by LF. */
const textOf = ({ size, rootHash, time, keyId }: TreeHead): Buffer =>
  Buffer.from(`suuq tree head v1\n${size}\n${rootHash}\n${time}\n${keyId}\n`);

const RAW_BYTES = 32;
/** What stands before the 32 bytes of a public key of Ed25519 in its SPKI form (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Of the 32 bytes of a public key, in base64: the first 8 bytes of their SHA-256, in hexadecimal digits. */
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

/** Ed25519, in base64. `privateKey`: of `newKey`. */
export function signText(text: Buffer, privateKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  return sign(null, text, key).toString('base64');
}

export const signHead = (head: TreeHead, privateKey: string): SignedHead => ({
  ...head,
  signature: signText(textOf(head), privateKey),
});

/** Whether the holder of this public key, 32 bytes in base64, has signed the text; `of`: what says so. */
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

/** Whether the head was signed by the holder of this public key, 32 bytes in base64. */
export const isSignedBy = (head: SignedHead, publicKey: string): boolean => isSignedText(textOf(head), head, publicKey);

const isText = (value: unknown, shape: RegExp): value is string => typeof value === 'string' && shape.test(value);

/** A head that was given from outside; undefined: it is none. */
export function headIn(value: unknown): SignedHead | undefined {
  const { size, rootHash, time, keyId, signature } = (value ?? {}) as Partial<Record<keyof SignedHead, unknown>>;
  if (!Number.isSafeInteger(size) || (size as number) < 0) return undefined;
  if (!isText(rootHash, /^[0-9a-f]{64}$/) || !isText(keyId, /^[0-9a-f]{16}$/)) return undefined;
  if (!isText(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) || Number.isNaN(Date.parse(time))) return undefined;
  if (!isText(signature, /^[A-Za-z0-9+/]{86}==$/)) return undefined;
  return { size: size as number, rootHash, time, keyId, signature };
}
