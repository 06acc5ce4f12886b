/**
 * The messages of a ReadResp (streams.proto), as bytes. Written by hand, since the generated classes take longer for one
 * event than all else together; test/engines/eventstoreEndpoint.readsWire.test.ts holds them against the generated reader.
 */
import type { RawEvent } from '../../sqlite/eventStore/rawLog.js';
import { TOMBSTONE_REVISION } from '../../sqlite/eventStore/schema.js';
import { ProtobufWriter } from './protobufWriter.js';

export type UuidForm = 'string' | 'structured';

const writer = new ProtobufWriter();
/** More than all of an event but its texts takes. */
const OVERHEAD = 256;
const JSON_TYPE = 'application/json';
const BYTES_TYPE = 'application/octet-stream';

export const CAUGHT_UP = empty(8);
export const FELL_BEHIND = empty(9);

function empty(field: number): Buffer {
  writer.begin(OVERHEAD);
  writer.message(field, writer.mark());
  return writer.take();
}

function number(field: number, value: number): Buffer {
  writer.begin(OVERHEAD);
  writer.uint(field, value);
  return writer.take();
}

export const firstStreamPosition = (revision: number): Buffer => number(5, revision);
export const lastStreamPosition = (revision: number): Buffer => number(6, revision);

/** `id`: of the subscription, a UUID as text. */
export function confirmation(id: string): Buffer {
  writer.begin(OVERHEAD);
  const end = writer.mark();
  writer.text(1, id);
  writer.message(2, end);
  return writer.take();
}

export function checkpoint(commit: number, prepare: number): Buffer {
  writer.begin(OVERHEAD);
  const end = writer.mark();
  writer.uint(2, prepare);
  writer.uint(1, commit);
  writer.message(3, end);
  return writer.take();
}

export function streamNotFound(stream: string): Buffer {
  writer.begin(OVERHEAD + 3 * stream.length);
  const end = writer.mark();
  identifier(1, stream);
  writer.message(4, end);
  return writer.take();
}

export const eventMessage = (event: RawEvent, form: UuidForm): Buffer =>
  readEvent(event, undefined, event.position, form);

const shared = { string: new WeakMap<RawEvent, Buffer>(), structured: new WeakMap<RawEvent, Buffer>() };

/** The same for an event that many follow: written once. */
export function sharedEventMessage(event: RawEvent, form: UuidForm): Buffer {
  const known = shared[form].get(event);
  if (known !== undefined) return known;
  const message = eventMessage(event, form);
  shared[form].set(event, message);
  return message;
}

/** A resolved link; without `target` one that leads nowhere. */
export const linkMessage = (link: RawEvent, target: RawEvent | undefined, form: UuidForm): Buffer =>
  readEvent(target, link, link.position, form);

function readEvent(event: RawEvent | undefined, link: RawEvent | undefined, position: number, form: UuidForm): Buffer {
  writer.begin(OVERHEAD + mostBytes(event) + mostBytes(link));
  const end = writer.mark();
  writer.uint(3, position);
  if (link !== undefined) recorded(2, link, form);
  if (event !== undefined) recorded(1, event, form);
  writer.message(1, end);
  return writer.take();
}

function mostBytes(event: RawEvent | undefined): number {
  if (event === undefined) return 0;
  return OVERHEAD + event.dataBytes + event.metaBytes + 3 * (event.streamName.length + event.typeName.length);
}

function recorded(field: number, event: RawEvent, form: UuidForm): void {
  const end = writer.mark();
  writer.bytes(8, event.data);
  writer.bytes(7, event.meta);
  // In ticks of 100 ns.
  entry('created', `${event.created}0`);
  entry('content-type', event.json ? JSON_TYPE : BYTES_TYPE);
  entry('type', event.typeName);
  writer.uint(5, event.position);
  writer.uint(4, event.position);
  if (event.revision === TOMBSTONE_REVISION) writer.uint64(3, 0x7fffffff, 0xffffffff);
  else writer.uint(3, event.revision);
  identifier(2, event.streamName);
  uuid(1, event.id, form);
  writer.message(field, end);
}

function entry(key: string, value: string): void {
  const end = writer.mark();
  writer.text(2, value);
  writer.text(1, key);
  writer.message(6, end);
}

function identifier(field: number, stream: string): void {
  const end = writer.mark();
  writer.text(3, stream);
  writer.message(field, end);
}

function uuid(field: number, hex: string, form: UuidForm): void {
  const end = writer.mark();
  if (form === 'string') {
    writer.text(2, `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`);
  } else {
    const half = (at: number): number => Number.parseInt(hex.slice(at, at + 8), 16);
    const inner = writer.mark();
    writer.uint64(2, half(16), half(24));
    writer.uint64(1, half(0), half(8));
    writer.message(1, inner);
  }
  writer.message(field, end);
}
