/** Kinds of files that the channel takes, their types and greatest sizes. (shared reference: 'Media'.) */
export const MEDIA_KINDS = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type SandboxMediaKind = (typeof MEDIA_KINDS)[number];

const MB = 1024 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

interface Kind {
  readonly types: readonly string[];
  readonly mostBytes: number;
}

const KINDS: Readonly<Record<SandboxMediaKind, Kind>> = {
  image: { types: ['image/jpeg', 'image/png'], mostBytes: 5 * MB },
  video: { types: ['video/mp4', 'video/3gpp'], mostBytes: 16 * MB },
  audio: { types: ['audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr', 'audio/ogg'], mostBytes: 16 * MB },
  document: {
    types: [
      'text/plain',
      'application/pdf',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.spreadsheetml.sheet`,
      `${OFFICE}.presentationml.presentation`,
    ],
    mostBytes: 100 * MB,
  },
  sticker: { types: ['image/webp'], mostBytes: 500 * 1024 },
};

/** Bytes of the largest file of any kind. */
export const MOST_MEDIA_BYTES = Math.max(...MEDIA_KINDS.map((kind) => KINDS[kind].mostBytes));
export const MEDIA_TYPES = MEDIA_KINDS.flatMap((kind) => KINDS[kind].types);

/** `audio/ogg; codecs=opus` is of the type audio/ogg. */
const plain = (mimeType: string): string => mimeType.split(';')[0]!.trim().toLowerCase();

/** The kind that a type belongs to; undefined when the channel does not take it. */
export const kindOf = (mimeType: string): SandboxMediaKind | undefined =>
  MEDIA_KINDS.find((kind) => KINDS[kind].types.includes(plain(mimeType)));

export const mostBytesOf = (kind: SandboxMediaKind): number => KINDS[kind].mostBytes;
