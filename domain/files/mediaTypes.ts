/** What the channel carries, and how large. (shared reference: 'Media'.) */
import type { MediaKind } from '../channel/conversationEvents.js';

const MB = 1024 * 1024;

/** Most bytes of a file, by what it is. */
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

/** The types that the channel takes. */
export const sendableTypes: readonly string[] = [...KINDS.keys()];

/** As what the channel takes files of this type; undefined: not at all. */
export const kindOf = (mimeType: string): MediaKind | undefined => KINDS.get(mimeType);

const FAMILIES: Readonly<Partial<Record<MediaKind, string>>> = {
  image: 'image/',
  sticker: 'image/',
  video: 'video/',
  audio: 'audio/',
};

/**
 * As what a customer's file is kept that came as `declared`: under its real type where the channel takes that, whatever was
 * said; a document may be anything, an image, video or sound anything of its family. Undefined: it is not what it was said to be.
 */
export function receivedKind(mimeType: string, declared: MediaKind): MediaKind | undefined {
  const known = kindOf(mimeType);
  // A photo may be a webp, and a sticker may only be that.
  if (mimeType === 'image/webp' && declared === 'image') return 'image';
  if (known !== undefined) return known;
  if (declared === 'document') return 'document';
  return mimeType.startsWith(FAMILIES[declared] ?? '\0') ? declared : undefined;
}

/** Most bytes that are copied of a customer's file: the channel's own limit of what it came as, or of what it is. */
export const mostReceived = (kind: MediaKind, declared: MediaKind): number =>
  Math.max(MOST_BYTES[kind], MOST_BYTES[declared]);
