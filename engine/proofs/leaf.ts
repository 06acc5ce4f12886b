/**
 * What a leaf of the tree stands for: an event as it is stored, in bytes that are the same on each engine. docs/concepts/proofs.md has the
 * layout for others; it is never changed, but given another first byte.
 */
import type { StoredEvent } from '../ports/storedLog.js';
import { type Hash, prefixedHash } from './hashing.js';

/** First byte of the entry: the layout. */
const LAYOUT = 1;
/** Numbers and lengths beside the texts, and the leaf's own byte. */
const FIXED = 64;
const HIGH = 2 ** 32;
const OWN = '{"at":"';
/** Behind `2026-03-01T09:00:00.000Z`. */
const END = OWN.length + 24;
/** Of a time in characters. */
const LONGEST = 40;

let scratch = Buffer.alloc(64 * 1024);

/**
 * Microseconds since 1970: `at` of the metadata where they are a JSON object that has it as a time of RFC 3339, otherwise what
 * the engine has noted.
 */
export function timeOf({ meta, recorded }: Pick<StoredEvent, 'meta' | 'recorded'>): number {
  const bytes = meta instanceof Buffer ? meta : Buffer.from(meta.buffer, meta.byteOffset, meta.byteLength);
  const text = bytes.toString('latin1');
  // So all of Suuq's own begin; a member that is there twice is read as JSON is, the last one.
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

/** Of `2026-03-01T09:00`. At hour 24 no seconds may follow. */
const MINUTE = 16;
const USUAL = /^\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d$/;
let [minute, minuteMs] = ['', Number.NaN];

/** As `Date.parse`, of 24 characters. Events that stand together mostly are of one minute: it is parsed once. */
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

/** NaN where there is something else than digits. */
function digitsAt(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

/** Where the entry ends in `scratch`, which begins with the leaf's own byte, 0. */
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

/** Eight bytes, two's complement. */
function whole(into: Buffer, value: number, at: number): number {
  const high = Math.floor(value / HIGH);
  into.writeInt32BE(high, at);
  into.writeUInt32BE(value - high * HIGH, at + 4);
  return at + 8;
}

/** The bytes that a leaf is the hash of. `time`: of `timeOf`. */
export const entryOf = (event: StoredEvent, time = timeOf(event)): Buffer =>
  Buffer.from(scratchOf(event, time).subarray(1));

function scratchOf(event: StoredEvent, time: number): Buffer {
  const end = written(event, time);
  return scratch.subarray(0, end);
}

export const leafOf = (event: StoredEvent, time = timeOf(event)): Hash => prefixedHash(scratchOf(event, time));
