/**
 * The messages of a read (ReadResp of streams.proto), as far as they are needed here, from the bytes as they come. By hand, since
 * the generated classes take longer for an event than all else together until it is parsed;
 * test/engines/eventstoredb.readMessages.test.ts holds it against the generated writer.
 */
import { WireReader } from './wireReader.js';

/** An event as the server has recorded it; data and metadata are ranges of `bytes`. */
export interface WireEvent {
  readonly bytes: Buffer;
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  /** True if its data are marked as JSON. */
  readonly json: boolean;
  /** Ticks of 100 ns since 1970; empty if the server does not send them. */
  readonly created: string;
  readonly revision: number;
  readonly commit: number;
  readonly prepare: number;
  readonly dataFrom: number;
  readonly dataTo: number;
  readonly metaFrom: number;
  readonly metaTo: number;
}

/** One of these, or none for other messages of the server. */
export interface ReadMessage {
  /** Links are not followed: absent where the target of one is gone. */
  readonly event: WireEvent | undefined;
  readonly checkpoint: { readonly commit: number; readonly prepare: number } | undefined;
  readonly caughtUp: boolean;
}

const NOTHING: ReadMessage = { event: undefined, checkpoint: undefined, caughtUp: false };
const CAUGHT_UP: ReadMessage = { ...NOTHING, caughtUp: true };

const codesOf = (text: string): readonly number[] => [...Buffer.from(text)];
const TYPE = codesOf('type');
const CONTENT_TYPE = codesOf('content-type');
const CREATED = codesOf('created');
const JSON_TYPE = codesOf('application/json');

/** Throws RangeError when the bytes are no message. */
export function readMessage(bytes: Buffer): ReadMessage {
  const reader = new WireReader(bytes);
  let found = NOTHING;
  for (let field = reader.field(bytes.length); field !== 0; field = reader.field(bytes.length)) {
    if (field === 1) found = { event: readEvent(reader, reader.length()), checkpoint: undefined, caughtUp: false };
    else if (field === 3)
      found = { event: undefined, checkpoint: checkpoint(reader, reader.length()), caughtUp: false };
    else {
      reader.skip();
      if (field === 8) found = CAUGHT_UP;
    }
  }
  return found;
}

function checkpoint(reader: WireReader, end: number): { commit: number; prepare: number } {
  let commit = 0;
  let prepare = 0;
  for (let field = reader.field(end); field !== 0; field = reader.field(end)) {
    if (field === 1) commit = reader.uint();
    else if (field === 2) prepare = reader.uint();
    else reader.skip();
  }
  return { commit, prepare };
}

function readEvent(reader: WireReader, end: number): WireEvent | undefined {
  let event: WireEvent | undefined;
  for (let field = reader.field(end); field !== 0; field = reader.field(end)) {
    if (field === 1) event = recorded(reader, reader.length());
    else reader.skip();
  }
  return event;
}

function recorded(reader: WireReader, end: number): WireEvent {
  const { bytes } = reader;
  let [id, stream, type, created] = ['', '', '', ''];
  let json = false;
  let [revision, commit, prepare] = [0, 0, 0];
  let [dataFrom, dataTo, metaFrom, metaTo] = [0, 0, 0, 0];
  for (let field = reader.field(end); field !== 0; field = reader.field(end)) {
    switch (field) {
      case 1:
        id = textIn(reader, 2);
        break;
      case 2:
        stream = textIn(reader, 3);
        break;
      case 3:
        revision = reader.uint();
        break;
      case 4:
        prepare = reader.uint();
        break;
      case 5:
        commit = reader.uint();
        break;
      case 6: {
        const entryEnd = reader.length();
        const { keyFrom, keyTo, from, to } = entry(reader, entryEnd);
        if (is(bytes, keyFrom, keyTo, TYPE)) type = bytes.toString('utf8', from, to);
        else if (is(bytes, keyFrom, keyTo, CONTENT_TYPE)) json = is(bytes, from, to, JSON_TYPE);
        else if (is(bytes, keyFrom, keyTo, CREATED)) created = bytes.toString('utf8', from, to);
        break;
      }
      case 7:
        metaTo = reader.length();
        metaFrom = reader.at;
        reader.at = metaTo;
        break;
      case 8:
        dataTo = reader.length();
        dataFrom = reader.at;
        reader.at = dataTo;
        break;
      default:
        reader.skip();
    }
  }
  return {
    bytes,
    id,
    stream,
    type,
    json,
    created,
    revision,
    commit,
    prepare,
    dataFrom,
    dataTo,
    metaFrom,
    metaTo,
  };
}

/** The text of one field of a nested message. */
function textIn(reader: WireReader, requested: number): string {
  const end = reader.length();
  let text = '';
  for (let field = reader.field(end); field !== 0; field = reader.field(end)) {
    if (field === requested) text = reader.text();
    else reader.skip();
  }
  return text;
}

/** Ranges of the key and the value of a map's entry. */
function entry(reader: WireReader, end: number) {
  let [keyFrom, keyTo, from, to] = [0, 0, 0, 0];
  for (let field = reader.field(end); field !== 0; field = reader.field(end)) {
    if (field === 1) {
      keyTo = reader.length();
      keyFrom = reader.at;
      reader.at = keyTo;
    } else if (field === 2) {
      to = reader.length();
      from = reader.at;
      reader.at = to;
    } else reader.skip();
  }
  return { keyFrom, keyTo, from, to };
}

function is(bytes: Buffer, from: number, to: number, word: readonly number[]): boolean {
  if (to - from !== word.length) return false;
  for (let i = 0; i < word.length; i += 1) if (bytes[from + i] !== word[i]) return false;
  return true;
}
