/** Media types and sizes that the channel accepts. (shared reference: 'Media'.) */
import type { MediaKind } from '../channel/conversationEvents.js';

const MB = 1024 * 1024;

/** Maximum size of a file in bytes, by kind. */
export const MOST_BYTES: Readonly<Record<MediaKind, number>> = {
  image: 5 * MB,
  video: 16 * MB,
  audio: 16 * MB,
  document: 100 * MB,
  sticker: 500 * 1024,
};

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const KINDS: ReadonlyMap<string, MediaKind> = new Map([
  ['image/jpeg', 'image'],
  ['image/png', 'image'],
  ['image/webp', 'sticker'],
  ['video/mp4', 'video'],
  ['video/3gpp', 'video'],
  ['audio/aac', 'audio'],
  ['audio/amr', 'audio'],
  ['audio/mp4', 'audio'],
  ['audio/mpeg', 'audio'],
  ['audio/ogg', 'audio'],
  ['application/pdf', 'document'],
  ['application/msword', 'document'],
  ['application/vnd.ms-excel', 'document'],
  ['application/vnd.ms-powerpoint', 'document'],
  [`${OFFICE}.wordprocessingml.document`, 'document'],
  [`${OFFICE}.spreadsheetml.sheet`, 'document'],
  [`${OFFICE}.presentationml.presentation`, 'document'],
  ['text/plain', 'document'],
]);

/** MIME types that the channel accepts. */
export const sendableTypes: readonly string[] = [...KINDS.keys()];

/** Returns the channel's kind for this MIME type, or undefined if the channel does not accept it. */
export const kindOf = (mimeType: string): MediaKind | undefined => KINDS.get(mimeType);

const FAMILIES: Readonly<Partial<Record<MediaKind, string>>> = {
  image: 'image/',
  sticker: 'image/',
  video: 'video/',
  audio: 'audio/',
};

/**
 * Returns the kind under which a customer's file is stored: that of its real type if the channel accepts the type. A document may have any
 * type, and an image, video or sound any type of its family. Undefined: the content is not of the declared kind.
 */
export function receivedKind(mimeType: string, declared: MediaKind): MediaKind | undefined {
  const known = kindOf(mimeType);
  // A photo may be a webp. A sticker is always a webp.
  if (mimeType === 'image/webp' && declared === 'image') return 'image';
  if (known !== undefined) return known;
  if (declared === 'document') return 'document';
  return mimeType.startsWith(FAMILIES[declared] ?? '\0') ? declared : undefined;
}

/** Maximum size in bytes of a customer's file: the larger limit of its declared and its real kind. */
export const mostReceived = (kind: MediaKind, declared: MediaKind): number =>
  Math.max(MOST_BYTES[kind], MOST_BYTES[declared]);
