/** Metadata of a stream, as EventStoreDB keeps it: the newest event of the stream `$$` + name. */

export interface StreamMetadata {
  /** Only that many newest events are shown. */
  readonly maxCount?: number;
  /** Only events younger than that are shown, in seconds. */
  readonly maxAge?: number;
  /** Only events from this revision on are shown. Number.MAX_SAFE_INTEGER when it is larger. */
  readonly truncateBefore?: number;
  /** Soft-deleted: nothing is shown until something is appended. */
  readonly deleted: boolean;
}

export const NO_METADATA: StreamMetadata = { deleted: false };

export const METADATA_TYPE = '$metadata';
/** `$tb` of a soft-deleted stream, 2^63-1: a JS number cannot represent it, so it is searched as text. */
const DELETED_TB = '9223372036854775807';
const DELETED_TEXT = new RegExp(`"\\$tb"\\s*:\\s*${DELETED_TB}\\s*[,}]`);
export const SOFT_DELETED = `{"$tb":${DELETED_TB}}`;

/** Fields of a soft deletion, a limit and a cut: metadata with a wrong value in any of them count as none, as in EventStoreDB. */
const LIMITS: Readonly<Record<string, number>> = { $maxCount: 1, $maxAge: 1, $tb: 0 };

export const metadataStream = (stream: string): string => `$$${stream}`;
/** The stream that this one holds the metadata of. */
export const describedBy = (stream: string): string | undefined =>
  stream.startsWith('$$') ? stream.slice(2) : undefined;

/** The object that this text is. Undefined: it is none, or has a limit that is no whole number of its range. */
function objectOf(text: string): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as Record<string, unknown>;
  for (const [name, least] of Object.entries(LIMITS)) {
    const limit = fields[name];
    if (limit !== undefined && !(Number.isInteger(limit) && (limit as number) >= least)) return undefined;
  }
  return fields;
}

const upTo = (limit: unknown): number | undefined =>
  limit === undefined ? undefined : Math.min(limit as number, Number.MAX_SAFE_INTEGER);

/** `data`: of the newest event of the metadata's stream, whatever its type; undefined when there is none, or it is not JSON. */
export function parseStreamMetadata(data: string | Buffer | undefined): StreamMetadata {
  if (data === undefined) return NO_METADATA;
  const text = data.toString();
  const fields = objectOf(text);
  if (fields === undefined) return NO_METADATA;
  const maxCount = upTo(fields.$maxCount);
  const maxAge = upTo(fields.$maxAge);
  const truncateBefore = upTo(fields.$tb);
  return {
    ...(maxCount !== undefined && { maxCount }),
    ...(maxAge !== undefined && { maxAge }),
    ...(truncateBefore !== undefined && { truncateBefore }),
    deleted: (fields.$tb as number) >= 2 ** 63 && DELETED_TEXT.test(text),
  };
}

/**
 * The metadata of a soft-deleted stream after its next append: unchanged, but visible from `revision` on. Undefined: there are none, or
 * they are not JSON.
 */
export function shownFrom(data: string | Buffer | undefined, revision: number): string | undefined {
  const fields = data === undefined ? undefined : objectOf(data.toString());
  return fields && JSON.stringify({ ...fields, $tb: revision });
}

/** True if reading the stream omits this event. `head`: the revision of the newest. */
export const isHidden = ({ truncateBefore = 0, maxCount = Infinity }: StreamMetadata, revision: number, head: number) =>
  revision < truncateBefore || revision <= head - maxCount;
