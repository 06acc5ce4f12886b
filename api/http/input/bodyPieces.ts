/** A large value as JSON in pieces, so that a thread can make it again without keeping others waiting. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../../domain/jsonObject.js';

/** A piece is about so long, in characters. */
const PIECE = 32_768;
/** Longest time at a stretch, in ms. */
const TURN_MS = 4;
/** Longest piece that may be made a value at a stretch, in bytes. */
const LONGEST_PIECE = 4 * PIECE;

/** One after another in `bytes`: the object without its long lists' items, then portions of these lists. */
export interface Pieces {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** End of each piece, and the member of the object that its items belong to; the first is the object itself. */
  readonly parts: readonly { readonly end: number; readonly member?: string }[];
}

/** Portions of a list's items, each a list of its own as JSON. */
function* portions(items: readonly unknown[]): Generator<string> {
  let texts: string[] = [];
  let size = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    texts.push(text);
    size += text.length;
    if (size < PIECE) continue;
    yield `[${texts.join(',')}]`;
    texts = [];
    size = 0;
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`;
}

/** `value` is what JSON holds. */
export function cut(value: unknown): Pieces {
  const lists = isJsonObject(value) ? Object.entries(value).filter(([, member]) => Array.isArray(member)) : [];
  const whole =
    lists.length === 0 ? value : { ...(value as JsonObject), ...Object.fromEntries(lists.map(([name]) => [name, []])) };
  const texts: { text: string; member?: string }[] = [{ text: JSON.stringify(whole) }];
  for (const [member, items] of lists) for (const text of portions(items as unknown[])) texts.push({ text, member });
  const bytes = new Uint8Array(texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
  const view = Buffer.from(bytes.buffer);
  let end = 0;
  const parts = texts.map(({ text, ...part }) => {
    end += view.write(text, end);
    return { end, ...part };
  });
  return { bytes, parts };
}

/** True if no piece is so long that making a value of it would keep others waiting. */
export const isPortioned = ({ parts }: Pieces): boolean =>
  parts.every(({ end }, index) => end - (parts[index - 1]?.end ?? 0) <= LONGEST_PIECE);

/** The value again, for `turnMs` at most in each turn of the event loop, or one piece. */
export async function joined({ bytes, parts }: Pieces, turnMs = TURN_MS): Promise<unknown> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let value: unknown;
  let start = 0;
  let turn = performance.now();
  for (const { end, member } of parts) {
    const piece = JSON.parse(view.toString('utf8', start, end)) as unknown;
    if (member === undefined) value = piece;
    else for (const item of piece as unknown[]) ((value as JsonObject)[member] as unknown[]).push(item);
    start = end;
    if (performance.now() - turn < turnMs) continue;
    await nextTurn();
    turn = performance.now();
  }
  return value;
}
