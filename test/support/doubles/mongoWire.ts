/** Reads and writes MongoDB's messages, for tests that answer commands themselves or change the responses. */
import { BSON } from 'mongodb';
import type { FaultyProxy, Verdict } from '../../../harness/engines/faultyProxy.js';

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
export type Fields = Record<string, any>;

export interface Command {
  /** 'find', 'update', 'hello', … */
  readonly name: string;
  readonly body: Fields;
}

/** Returns undefined to pass a command on, `{ passOn }` to pass on another body, a response, or a verdict. */
export type Answering = (command: Command) => Fields | Verdict | PassedOn | undefined;
export interface PassedOn {
  readonly passOn: Fields;
}
/** Changes the server's response; undefined leaves it as it is. */
export type Changing = (command: Command, answer: Fields) => Fields | undefined;

const REPLY = 1;
const QUERY = 2004;
const MESSAGE = 2013;
const HEAD = 16;

const documentAt = (bytes: Buffer, at: number): { readonly fields: Fields; readonly end: number } => {
  const end = at + bytes.readInt32LE(at);
  return { fields: BSON.deserialize(bytes.subarray(at, end), { promoteLongs: false }), end };
};

/** Returns the body with its document sequences merged in. */
function messageBody(bytes: Buffer): Fields {
  let body: Fields = {};
  // The flags show whether a checksum follows; drivers send none.
  for (let at = HEAD + 4; at < bytes.length; ) {
    const kind = bytes[at];
    at += 1;
    if (kind === 0) {
      const { fields, end } = documentAt(bytes, at);
      body = { ...fields, ...body };
      at = end;
      continue;
    }
    const end = at + bytes.readInt32LE(at);
    const nameEnd = bytes.indexOf(0, at + 4);
    const documents: Fields[] = [];
    for (let next = nameEnd + 1; next < end; ) {
      const one = documentAt(bytes, next);
      documents.push(one.fields);
      next = one.end;
    }
    body[bytes.toString('utf8', at + 4, nameEnd)] = documents;
    at = end;
  }
  return body;
}

function bodyOf(bytes: Buffer): Fields | undefined {
  const opCode = bytes.readInt32LE(12);
  if (opCode === MESSAGE) return messageBody(bytes);
  // The first hello arrives as a legacy query and expects a legacy reply.
  if (opCode === QUERY) return documentAt(bytes, bytes.indexOf(0, HEAD + 4) + 1 + 8).fields;
  return opCode === REPLY ? documentAt(bytes, HEAD + 20).fields : undefined;
}

/** Reads a command. Its first field is its name, wherever its documents were sent. */
function readCommand(bytes: Buffer): Command | undefined {
  const body = bodyOf(bytes);
  return body && { name: Object.keys(body)[0]!, body };
}

/** Returns whether a message is the driver's own, such as hello or the end of sessions. */
export function isHandshake({ bytes }: { readonly bytes: Buffer }): boolean {
  const fields = Object.keys(bodyOf(bytes) ?? {});
  return fields.some((field) => ['hello', 'ismaster', 'isMaster', 'isWritablePrimary', 'endSessions'].includes(field));
}

function encoded(opCode: number, id: number, to: number, between: Buffer, fields: Fields): Buffer {
  const document = Buffer.from(BSON.serialize(fields));
  const head = Buffer.alloc(HEAD);
  const words = [HEAD + between.length + document.length, id, to, opCode];
  for (const [i, word] of words.entries()) head.writeInt32LE(word, 4 * i);
  return Buffer.concat([head, between, document]);
}

const idOf = (bytes: Buffer): number => bytes.readInt32LE(4);

/** Returns the response to the message `to`, in the same format. */
function answerTo(to: Buffer, fields: Fields): Buffer {
  if (to.readInt32LE(12) !== QUERY) return encoded(MESSAGE, 1, idOf(to), Buffer.alloc(5), fields);
  const between = Buffer.alloc(20);
  between.writeInt32LE(1, 16);
  return encoded(REPLY, 1, idOf(to), between, fields);
}

const isVerdict = (text: Fields | Verdict | PassedOn): text is Verdict =>
  typeof text === 'string' || 'delayMs' in text || 'instead' in text || 'answer' in text;

/** Returns an error response as servers send it. */
export const refusal = (code: number, errmsg = 'refused by the test', more: Fields = {}): Fields => ({
  ok: 0,
  code,
  errmsg,
  ...more,
});

/** Lets a test intercept commands between driver and server. The proxy must split `mongoMessages`. */
export function onCommands(proxy: FaultyProxy, answering: Answering, changing?: Changing): void {
  const requested = new Map<string, { readonly command: Command; readonly bytes: Buffer }>();
  const judged = (bytes: Buffer, connection: number): Verdict | undefined => {
    const command = readCommand(bytes);
    const text = command && answering(command);
    if (text !== undefined && !('passOn' in Object(text)))
      return isVerdict(text) ? text : { answer: answerTo(bytes, { ok: 1, ...text }) };
    if (command !== undefined) requested.set(`${connection} ${idOf(bytes)}`, { command, bytes });
    return text && { instead: encoded(MESSAGE, idOf(bytes), 0, Buffer.alloc(5), (text as PassedOn).passOn) };
  };
  const changed = (bytes: Buffer, key: string): Verdict | undefined => {
    const before = requested.get(key);
    requested.delete(key);
    const fields = before && changing?.(before.command, bodyOf(bytes)!);
    return fields && { instead: answerTo(before!.bytes, fields) };
  };
  proxy.judge(({ bytes, way, connection }) =>
    way === 'there' ? judged(bytes, connection) : changed(bytes, `${connection} ${bytes.readInt32LE(8)}`),
  );
}
