/**
 * Bytes of a leaf: an event as stored, encoded identically by every engine. docs/concepts/proofs.md documents the
 * layout. The layout never changes; a new layout gets another first byte.
 */
import type { StoredEvent } from '../ports/storedLog.js';
import { type Hash, prefixedHash } from './hashing.js';

/** First byte of the entry: version of the layout. */
const LAYOUT = 1;
/** Upper bound for the numbers, the lengths and the prefix byte, in bytes. */
const FIXED = 64;
const HIGH = 2 ** 32;
const OWN = '{"at":"';
/** Index of the closing quote after a time such as `2026-03-01T09:00:00.000Z`. */
const END = OWN.length + 24;
/** Maximum length of a time, in characters. */
const LONGEST = 40;

let scratch = Buffer.alloc(64 * 1024);

/**
 * Returns the time of an event in microseconds since 1970. Uses `at` of the metadata if it is a valid time, otherwise
 * the time recorded by the engine.
 */
export function timeOf({ meta, recorded }: Pick<StoredEvent, 'meta' | 'recorded'>): number {
  const bytes = meta instanceof Buffer ? meta : Buffer.from(meta.buffer, meta.byteOffset, meta.byteLength);
  const text = bytes.toString('latin1');
  // Fast path for events written by Suuq. A duplicate `at` needs a JSON parse, because the last one counts.
  if (text.startsWith(OWN) && text[END] === '"' && !text.includes('"at":', END)) {
    const ms = millisecondsOf(text.slice(OWN.length, END));
    if (!Number.isNaN(ms)) return ms * 1000;
  }
  try {
    const { at } = JSON.parse(bytes.toString()) as { at?: unknown };
    const ms = typeof at === 'string' && at.length <= LONGEST ? Date.parse(at) : Number.NaN;
    return Number.isNaN(ms) ? recorded : ms * 1000;
  } catch {
    return recorded;
  }
}

/** Length of `2026-03-01T09:00`. Hour 24 is excluded, because no seconds may follow it. */
const MINUTE = 16;
const USUAL = /^\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d$/;
let [minute, minuteMs] = ['', Number.NaN];

/** Parses 24 characters like `Date.parse`. Adjacent events mostly share a minute, so a minute is parsed once. */
function millisecondsOf(at: string): number {
  const [seconds, ms] = [digitsAt(at, 17, 19), digitsAt(at, 20, 23)];
  const isUsual = at[MINUTE] === ':' && at[19] === '.' && at[23] === 'Z' && seconds < 60 && ms >= 0;
  if (!isUsual) return Date.parse(at);
  const begins = at.slice(0, MINUTE);
  if (begins !== minute) {
    minute = begins;
    minuteMs = USUAL.test(begins) ? Date.parse(`${begins}:00.000Z`) : Number.NaN;
  }
  return Number.isNaN(minuteMs) ? Date.parse(at) : minuteMs + seconds * 1000 + ms;
}

/** Returns NaN if a character is not a digit. */
function digitsAt(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

/** Writes the entry to `scratch` behind the prefix byte 0, and returns its end. */
function written({ stream, revision, type, id, json, data, meta }: StoredEvent, time: number): number {
  const most = FIXED + 3 * (stream.length + type.length) + data.length + meta.length;
  if (scratch.length < most) scratch = Buffer.alloc(most);
  const into = scratch;
  into[0] = 0;
  into[1] = LAYOUT;
  let at = text(into, stream, 2);
  at = whole(into, revision, at);
  at = text(into, type, at);
  at += into.write(id, at, 16, 'hex');
  at = whole(into, time, at);
  into[at] = json ? 1 : 0;
  at = bytes(into, data, at + 1);
  return bytes(into, meta, at);
}

function text(into: Buffer, value: string, at: number): number {
  const length = into.write(value, at + 4);
  into.writeUInt32BE(length, at);
  return at + 4 + length;
}

function bytes(into: Buffer, value: Uint8Array, at: number): number {
  into.writeUInt32BE(value.length, at);
  into.set(value, at + 4);
  return at + 4 + value.length;
}

/** Writes eight bytes, two's complement. */
function whole(into: Buffer, value: number, at: number): number {
  const high = Math.floor(value / HIGH);
  into.writeInt32BE(high, at);
  into.writeUInt32BE(value - high * HIGH, at + 4);
  return at + 8;
}

/** Returns the bytes that the leaf is a hash of. `time`: result of `timeOf`. */
export const entryOf = (event: StoredEvent, time = timeOf(event)): Buffer =>
  Buffer.from(scratchOf(event, time).subarray(1));

function scratchOf(event: StoredEvent, time: number): Buffer {
  const end = written(event, time);
  return scratch.subarray(0, end);
}

export const leafOf = (event: StoredEvent, time = timeOf(event)): Hash => prefixedHash(scratchOf(event, time));
