/** Verifies the bytes of a customer's file against the channel's details while they are copied into the file store. */
import { createHash } from 'node:crypto';
import type { InboundMedia, MediaKind } from '../../domain/channel/conversationEvents.js';
import { MOST_BYTES, mostReceived, receivedKind } from '../../domain/files/mediaTypes.js';
import type { Judge } from '../files/files.js';
import type { MediaPlace } from '../ports/channelMedia.js';

/** The content is not of the declared kind, and of no type that the channel accepts. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch';
}

/** The bytes differ from the channel's: truncated, or changed on the way. */
export class Damaged extends Error {
  override readonly name = 'Damaged';
}

/** Returns a digest in hex or base64 as hex, or undefined if it is neither. */
function digestOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64').toString('hex') : undefined;
}

/** Maximum size of any kind. */
export const MOST_OF_ALL = Math.max(...Object.values(MOST_BYTES));

/** Accepts a file as its real type, or as the kind of message that it came with. Throws `TypeMismatch`. */
export const judgeAs =
  (declared: MediaKind): Judge =>
  (mimeType) => {
    const kind = receivedKind(mimeType, declared);
    if (kind === undefined) throw new TypeMismatch(`${mimeType} came as ${declared}`);
    return { kind, mostBytes: mostReceived(kind, declared) };
  };

/** Passes the bytes on. Throws `Damaged` at the end if they differ from the channel's. */
export async function* verified(
  bytes: AsyncIterable<Uint8Array>,
  place: Pick<MediaPlace, 'sha256' | 'size'>,
  content: Pick<InboundMedia, 'sha256'>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    hash.update(chunk);
    yield chunk;
  }
  const digest = hash.digest('hex');
  const expected = [digestOf(place.sha256), digestOf(content.sha256)].filter((one) => one !== undefined);
  if (expected.some((one) => one !== digest)) throw new Damaged(`its ${size} bytes have another sha256`);
  // Without a digest, only the size shows that a file was truncated.
  if (expected.length === 0 && size !== place.size) throw new Damaged(`it has ${size} bytes instead of ${place.size}`);
}
