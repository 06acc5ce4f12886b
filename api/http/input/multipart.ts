/** One file of a multipart/form-data body, passed on as it comes. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import type { Busboy } from '@fastify/busboy';
import type { FieldProblem } from '../../../domain/decider.js';
import { unlessAborted } from '../../../engine/unlessAborted.js';
import { BODY_IDLE_MS, ClientGone } from '../../../infrastructure/http/body.js';
import { sendContinue } from '../../../infrastructure/http/expectation.js';
import { Refusal } from '../../contract/problems.js';
import { badText } from './text.js';

const require = createRequire(import.meta.url);

/** The file of the form. Its name and type are the client's claims. */
export interface FormFile {
  readonly filename: string | undefined;
  readonly mimeType: string;
  readonly content: Readable;
  /** Aborted when the rest of the form is not waited for. */
  readonly signal: AbortSignal;
}

export interface FormOptions<T> {
  /** Name of the one part that there is. */
  readonly field: string;
  /** Most bytes of the file. */
  readonly mostBytes: number;
  /** Longest time for the whole body, and without a byte of it, in ms. */
  readonly withinMs?: number;
  readonly idleMs?: number;
  /** Reads the file to its end, or throws what the request is answered. */
  take(file: FormFile): Promise<T>;
  /** Undoes `take`, when the rest of the form is not as it must be. */
  discard(taken: T): Promise<void>;
}

/** Longest time for an upload to come in whole, in ms: 100 MB at 1 Mbit/s take 14 minutes. */
export const UPLOAD_WITHIN = 15 * 60_000;
/**
 * Size allowed in addition to the file: boundaries, header fields of parts, and a few parts that are refused by their
 * names.
 */
const OVERHEAD = 64 * 1024;
const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 1024,
  fields: 8,
  files: 4,
  parts: 10,
  headerPairs: 16,
  headerSize: 8192,
};
const MOST_BOUNDARY = 70;

const FORM_TYPE = /^multipart\/form-data\s*;/i;
const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i;

function checkedType({ headers }: IncomingMessage): string {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers;
  if (coding.toLowerCase() !== 'identity')
    throw new Refusal('unsupported_media_type', 'Bodies with a content coding are not accepted.');
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type))
    throw new Refusal('unsupported_media_type', 'The body must be sent as Content-Type: multipart/form-data.');
  const [, quoted, plain] = (FORM_TYPE.test(type) && BOUNDARY.exec(type)) || [];
  const boundary = quoted ?? plain ?? '';
  if (boundary === '' || boundary.length > MOST_BOUNDARY)
    throw new Refusal('malformed_body', 'The Content-Type has no boundary of 1 to 70 characters.');
  return `multipart/form-data; boundary="${boundary}"`;
}

const tooLarge = (mostBytes: number): Refusal =>
  new Refusal('file_too_large', `The file is larger than ${mostBytes} bytes.`);
const malformed = (): Refusal =>
  new Refusal('malformed_body', 'The body is not well-formed multipart/form-data, or ends before its last boundary.');
const late = (): Refusal =>
  new Refusal('request_timeout', 'The file did not arrive in time.', { headers: { Connection: 'close' } });

/** Throws the rest of a refused form away as it comes: many clients send all of it before they read their answer. */
function readOver(request: IncomingMessage, bytes: AsyncIterator<unknown>): void {
  // The iterator lets go of the request with the chunk that it is waiting for.
  bytes.return?.().then(
    () => request.resume(),
    () => undefined,
  );
}

/** The form's reading: what ends it first, decides. */
class Reading<T> {
  readonly #options: FormOptions<T>;
  readonly #ending = new AbortController();
  readonly #problems: FieldProblem[] = [];
  readonly #parser: InstanceType<typeof Busboy>;
  #taken: Promise<T> | undefined;
  #file: Readable | undefined;

  constructor(options: FormOptions<T>, parser: InstanceType<typeof Busboy>) {
    this.#options = options;
    this.#parser = parser;
    this.#parser.on('file', (name, content, filename, _, mimeType) => this.#part(name, content, filename, mimeType));
    this.#parser.on('field', (name) => this.#unexpected(name, 'must be sent as a file, with a filename'));
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      this.#parser.on(limit, () => this.#fail(new Refusal('malformed_body', 'The form has too many parts.')));
    this.#parser.on('error', () => this.#fail(malformed()));
  }

  /** The first failure ends everything: the file's reader too. */
  #fail(error: unknown): void {
    if (!this.#ending.signal.aborted) this.#ending.abort(error);
  }

  #unexpected(name: string | undefined, asFile: string): void {
    const { field } = this.#options;
    const shown = name !== undefined && /^[\w.-]{1,64}$/.test(name) ? `.${name}` : '';
    this.#problems.push({ message: name === field ? asFile : 'is not a known property', location: `body${shown}` });
  }

  #part(name: string | undefined, content: Readable, filename: string | undefined, mimeType: string): void {
    // The reader of `content` reports it; without a reader it does not matter.
    content.on('error', () => undefined);
    if (name !== this.#options.field || this.#taken !== undefined) {
      this.#unexpected(name, 'must be given only once');
      content.resume();
      return;
    }
    const bad = badText(filename ?? '');
    if (bad !== undefined) this.#problems.push({ message: bad, location: `body.${name}.filename` });
    this.#file = content;
    this.#taken = this.#options.take({ filename, mimeType, content, signal: this.#ending.signal });
    this.#taken.catch((error) => this.#fail(error));
  }

  /** Rejects when the reading ends before, or takes longer than the client may keep us waiting. */
  async #unlessEnded<R>(work: Promise<R>, withinMs?: number): Promise<R> {
    const { signal } = this.#ending;
    if (withinMs === undefined) return unlessAborted(work, signal);
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(late()), withinMs);
    });
    return unlessAborted(Promise.race([work, tooLate]), signal).finally(() => clearTimeout(timer));
  }

  async #chunks(request: IncomingMessage): Promise<void> {
    const { mostBytes, idleMs = BODY_IDLE_MS } = this.#options;
    const { signal } = this.#ending;
    const bytes = request.iterator({ destroyOnReturn: false });
    let size = 0;
    try {
      for (;;) {
        const coming = bytes.next().catch(() => Promise.reject(new ClientGone()));
        const { done, value } = await this.#unlessEnded(coming, idleMs);
        if (done) break;
        size += (value as Buffer).length;
        if (size > mostBytes + OVERHEAD) throw tooLarge(mostBytes);
        if (!this.#parser.write(value)) await this.#unlessEnded(once(this.#parser, 'drain', { signal }));
      }
    } finally {
      readOver(request, bytes);
    }
    const finished = once(this.#parser, 'finish', { signal });
    this.#parser.end();
    // All has come: what may still take its time is the store.
    await this.#unlessEnded(finished, this.#taken === undefined ? idleMs : undefined);
  }

  async #read(request: IncomingMessage): Promise<T> {
    await this.#chunks(request);
    const taken = this.#taken && (await this.#unlessEnded(this.#taken));
    if (this.#taken === undefined && this.#problems.length === 0)
      this.#problems.push({ message: 'is required', location: `body.${this.#options.field}` });
    if (this.#problems.length > 0)
      throw new Refusal('validation_failed', 'The form is not valid.', { problems: this.#problems });
    return taken as T;
  }

  async run(request: IncomingMessage): Promise<T> {
    const timer = setTimeout(() => this.#fail(late()), this.#options.withinMs ?? UPLOAD_WITHIN);
    try {
      return await this.#read(request);
    } catch (error) {
      this.#fail(error);
      const { reason } = this.#ending.signal;
      this.#file?.destroy(reason);
      const taken = await this.#taken?.catch(() => undefined);
      // The store logs its own failure to remove the file.
      if (taken !== undefined) await this.#options.discard(taken).catch(() => undefined);
      throw reason;
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Reads the form while `take` reads its file. Refuses `unsupported_media_type`, `malformed_body`, `file_too_large`,
 * `request_timeout`, and `validation_failed` for any other part. A refused form leaves nothing stored.
 */
export async function readForm<T>(request: IncomingMessage, options: FormOptions<T>): Promise<T> {
  const contentType = checkedType(request);
  if (Number(request.headers['content-length'] ?? 0) > options.mostBytes + OVERHEAD) throw tooLarge(options.mostBytes);
  // Loaded with the first file, since every start would wait for it. Required, not imported: see infrastructure/http/clients.ts.
  const { Busboy } = require('@fastify/busboy') as typeof import('@fastify/busboy');
  const parser = new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
  sendContinue(request);
  return new Reading(options, parser).run(request);
}
