/**
 * Stored form of personal values. Their places contain null. Next to the fields, `~sealed` has one box per person:
 *
 *     ["1", person, places, box]
 *
 * `places`: 'kind type path' of each value, separated by '|', such as 'phone s customer.phone|userId s @actor.id',
 * where '@' means the metadata. `places` still describes the values when nobody can open the box any more. `box`:
 * base64url of a nonce (12 bytes), a tag (16) and the values as a JSON array, encrypted with AES-256-GCM under the
 * person's key. The event's id and `places` are authenticated, so a box opens nowhere else. Boxes are stored for ever:
 * another form gets another version. A box that a move made of values in clear has a fifth member, `MOVED`.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { erasedValue } from './erased.js';
import type { Leaf } from './leaves.js';
import { randomOf } from './randomPool.js';

export const SEALED = '~sealed';
const VERSION = '1';
/** Prefix of the path of a value in the metadata. */
export const IN_META = '@';
const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/** Fifth member of a box that was made when its log was moved. */
export const MOVED = 'moved';

export type Box = readonly [version: string, person: string, places: string, box: string, made?: typeof MOVED];

/** Types of values: s text, n number, b flag, a list, o object. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'a';
  return (typeof value)[0]!;
}

interface Place {
  readonly kind: string;
  readonly type: string;
  readonly path: readonly string[];
  readonly inMeta: boolean;
}

const placesOf = (leaves: readonly Leaf[]): string =>
  leaves.map(({ kind, value, path }) => `${kind} ${typeOf(value)} ${path}`).join('|');

/** Cache of parsed places. Events of one type have the same places, except for lists. */
const MOST_PARSED = 2_000;
const parsed = new Map<string, readonly Place[]>();

function parsedPlaces(text: string): readonly Place[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const places = text.split('|').map((one): Place => {
    const [kind = '', type = '', path = ''] = one.split(' ');
    const inMeta = path.startsWith(IN_META);
    return { kind, type, path: path.slice(inMeta ? IN_META.length : 0).split('.'), inMeta };
  });
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(text, places);
  return places;
}

/** `id`: id of the event. `key`: 32 bytes. `values`: values of the leaves, as JSON. */
export function sealedBox(
  id: string,
  person: string,
  key: Uint8Array,
  leaves: readonly Leaf[],
  values = JSON.stringify(leaves.map(({ value }) => value)),
): readonly [version: string, person: string, places: string, box: string] {
  const places = placesOf(leaves);
  const own = randomOf(NONCE);
  const cipher = createCipheriv(CIPHER, key, own);
  cipher.setAAD(Buffer.from(`${id} ${places}`));
  const text = cipher.update(values, 'utf8');
  cipher.final();
  return [VERSION, person, places, Buffer.concat([own, cipher.getAuthTag(), text]).toString('base64url')];
}

/** The person's key does not open the box, or the form of the box is unknown. */
export class BoxUnreadable extends Error {
  override readonly name = 'BoxUnreadable';
}

function openedValues(id: string, [version, , places, box]: Box, key: Uint8Array): readonly unknown[] {
  if (version !== VERSION)
    throw new BoxUnreadable(
      `Event ${id} is sealed in format ${version}, which this release does not know. Run a newer release.`,
    );
  const bytes = Buffer.from(box, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAAD(Buffer.from(`${id} ${places}`));
    decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    const text = decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
    return JSON.parse(text) as unknown[];
  } catch (error) {
    throw new BoxUnreadable(
      `The sealed fields of event ${id} cannot be decrypted: they were changed, or belong to another event.`,
      { cause: error },
    );
  }
}

export const boxesIn = (data: object): readonly Box[] | undefined =>
  (data as { readonly [SEALED]?: readonly Box[] })[SEALED];

/** Returns true if the box has the value at this path. A path in the metadata begins with `IN_META`. */
export const hasValueAt = ([, , places]: Box, path: string): boolean =>
  places.split('|').some((place) => place.endsWith(` ${path}`));

/** Copies the objects along the path, since readers share events. */
function put(root: Record<string, unknown>, copied: Set<object>, path: readonly string[], value: unknown): void {
  let at: Record<string, unknown> = root;
  for (let i = 0; i < path.length - 1; i += 1) {
    const name = path[i]!;
    let next = at[name] as Record<string, unknown>;
    if (typeof next !== 'object' || next === null) return;
    if (!copied.has(next)) {
      next = (Array.isArray(next) ? [...next] : { ...next }) as Record<string, unknown>;
      copied.add(next);
      at[name] = next;
    }
    at = next;
  }
  at[path.at(-1)!] = value;
}

type Fields = Record<string, unknown>;

/** Data and metadata of an event. */
export interface EventContent<Meta extends object = object> {
  readonly data: object;
  readonly meta: Meta;
}

/**
 * Returns data and metadata with the sealed values in their places. `keyOf` returns undefined for a forgotten person.
 * `lately` returns the cached values of a box, which need not be opened then.
 */
export function opened<Meta extends object>(
  { id, data, meta }: { readonly id: string; readonly data: object; readonly meta: Meta },
  boxes: readonly Box[],
  keyOf: (person: string) => Uint8Array | undefined,
  lately: (id: string, box: Box) => readonly unknown[] | undefined = () => undefined,
): EventContent<Meta> {
  const { [SEALED]: _, ...own } = data as Fields;
  let about = meta as Fields;
  const copied = new Set<object>();
  for (const box of boxes) {
    const [, person, texts] = box;
    const key = keyOf(person);
    const values = key && (lately(id, box) ?? openedValues(id, box, key));
    for (const [at, place] of parsedPlaces(texts).entries()) {
      if (place.inMeta && (about as object) === meta) about = { ...(meta as Fields) };
      const value = values === undefined ? erasedValue(place, id, at) : values[at];
      put(place.inMeta ? about : own, copied, place.path, value);
    }
  }
  return { data: own, meta: about as Meta };
}

/**
 * Returns the event as it was before a move sealed it; the event itself if no move did. Returns undefined if a person
 * in it was forgotten since. Throws BoxUnreadable.
 */
export function beforeMove<Meta extends object>(
  event: { readonly id: string; readonly data: object; readonly meta: Meta },
  keyOf: (person: string) => Uint8Array | undefined,
): EventContent<Meta> | undefined {
  const boxes = boxesIn(event.data) ?? [];
  const made = boxes.filter(([, , , , how]) => how === MOVED);
  if (made.length === 0) return event;
  if (made.some(([, person]) => keyOf(person) === undefined)) return undefined;
  const { data, meta } = opened(event, made, keyOf);
  const older = boxes.filter(([, , , , how]) => how !== MOVED);
  return { data: older.length === 0 ? data : { ...data, [SEALED]: older }, meta };
}
