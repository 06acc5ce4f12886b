/** Small fake of S3's HTTP protocol, with the bucket in the path: the calls that the adapter makes, and faults. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bytesOf } from './bytesOf.js';

export type S3Call = 'put' | 'part' | 'create' | 'complete' | 'abort' | 'get' | 'head' | 'delete' | 'bucket';
/** hang: no response. error: 500. cut: the connection ends; for `get`, in the middle of the body. */
export type S3Fault = 'hang' | 'error' | 'cut';

export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Multipart uploads that are neither completed nor aborted. */
  readonly unfinished: ReadonlyMap<string, unknown>;
  readonly calls: readonly S3Call[];
  /** Sizes of the received bodies, in order. */
  readonly bodies: readonly number[];
  /** Makes the next `times` calls of this kind fail. */
  fail(call: S3Call, fault: S3Fault, times?: number): void;
  /** Accepts this many more bytes. A larger body gets 507. */
  leaveRoom(bytes: number): void;
  close(): Promise<void>;
}

const BUCKET = 'suuq-files';
const LEAST_PART = 5 * 1024 * 1024;
const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;
const xml = (name: string, fields: Record<string, string>): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name}>${Object.entries(fields)
    .map(([field, value]) => `<${field}>${value}</${field}>`)
    .join('')}</${name}>`;

const METHODS: Readonly<Record<string, S3Call>> = { PUT: 'put', GET: 'get', HEAD: 'head', DELETE: 'delete' };

function callOf(method: string, key: string, query: URLSearchParams): S3Call {
  if (key === '') return 'bucket';
  if (query.has('uploads')) return 'create';
  if (!query.has('uploadId')) return METHODS[method] ?? 'bucket';
  if (method === 'PUT') return 'part';
  return method === 'POST' ? 'complete' : 'abort';
}

type Answer = (status: number, body?: string, headers?: Record<string, string>) => void;
interface Requested {
  readonly key: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  /** If true, the body ends in the middle. */
  readonly cut: boolean;
  readonly answer: Answer;
}

export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const unfinished = new Map<string, { readonly key: string; readonly parts: Map<number, Buffer> }>();
  const calls: S3Call[] = [];
  const bodies: number[] = [];
  let room = Number.POSITIVE_INFINITY;
  const faults: { readonly call: S3Call; readonly fault: S3Fault }[] = [];

  const refuse = (answer: Answer, status: number, Code: string): void => answer(status, xml('Error', { Code }));

  function store(key: string, bytes: Buffer, ifNoneMatch: string | undefined, answer: Answer): void {
    if (ifNoneMatch === '*' && objects.has(key)) {
      refuse(answer, 412, 'PreconditionFailed');
      return;
    }
    objects.set(key, bytes);
    answer(200, xml('CompleteMultipartUploadResult', { Key: key, ETag: etagOf(bytes) }), { ETag: etagOf(bytes) });
  }

  function give({ key, request, response, answer, cut }: Requested): void {
    const whole = objects.get(key);
    if (whole === undefined) {
      refuse(answer, 404, 'NoSuchKey');
      return;
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const bytes = start === undefined ? whole : whole.subarray(Number(start), Number(end) + 1);
    response.writeHead(start === undefined ? 200 : 206, {
      'Content-Length': bytes.length,
      ETag: etagOf(whole),
      ...(start !== undefined && {
        'Content-Range': `bytes ${start}-${Number(start) + bytes.length - 1}/${whole.length}`,
      }),
    });
    if (request.method === 'HEAD') response.end();
    else if (cut) response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    else response.end(bytes);
  }

  /** Handlers of calls without a fault. */
  const acts: Readonly<Record<S3Call, (requested: Requested) => void>> = {
    bucket: ({ answer }) => answer(200),
    put: ({ key, body, request, answer }) => store(key, body, request.headers['if-none-match'], answer),
    create({ key, answer }) {
      const UploadId = randomUUID();
      unfinished.set(UploadId, { key, parts: new Map() });
      answer(200, xml('InitiateMultipartUploadResult', { Bucket: BUCKET, Key: key, UploadId }));
    },
    part({ body, query, answer }) {
      unfinished.get(query.get('uploadId')!)!.parts.set(Number(query.get('partNumber')), body);
      answer(200, '', { ETag: etagOf(body) });
    },
    complete({ key, query, request, answer }) {
      const id = query.get('uploadId')!;
      const parts = [...unfinished.get(id)!.parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
      if (parts.slice(0, -1).some(({ length }) => length < LEAST_PART)) return refuse(answer, 400, 'EntityTooSmall');
      unfinished.delete(id);
      store(key, Buffer.concat(parts), request.headers['if-none-match'], answer);
    },
    abort({ query, answer }) {
      unfinished.delete(query.get('uploadId')!);
      answer(204);
    },
    delete({ key, answer }) {
      objects.delete(key);
      answer(204);
    },
    get: (requested) => give(requested),
    head: (requested) => give(requested),
  };

  /** Returns the fault for this call and removes it. */
  function faultOf(call: S3Call): S3Fault | undefined {
    const index = faults.findIndex((one) => one.call === call);
    return index === -1 ? undefined : faults.splice(index, 1)[0]!.fault;
  }

  function fits(call: S3Call, { length }: Buffer): boolean {
    if (call !== 'put' && call !== 'part') return true;
    if (length > room) return false;
    room -= length;
    return true;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url!, 'http://s3');
    const [, bucket, ...rest] = decodeURIComponent(pathname).split('/');
    const key = rest.join('/');
    const call = callOf(request.method!, key, query);
    calls.push(call);
    const fault = faultOf(call);
    const body = await bytesOf(request);
    bodies.push(body.length);
    const answer: Answer = (status, text = '', headers = {}) => {
      response.writeHead(status, { 'Content-Length': Buffer.byteLength(text), ...headers });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    if (fault === 'hang') return;
    if (fault === 'error') return refuse(answer, 500, 'InternalError');
    if (!fits(call, body)) return refuse(answer, 507, 'XMinioStorageFull');
    if (fault === 'cut' && call !== 'get') return void request.socket.destroy();
    if (!/^AWS4-HMAC-SHA256 /.test(request.headers.authorization ?? '')) return refuse(answer, 403, 'AccessDenied');
    if (bucket !== BUCKET) return refuse(answer, 404, 'NoSuchBucket');
    acts[call]({ key, query, request, response, body, answer, cut: fault === 'cut' });
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: BUCKET,
    objects,
    unfinished,
    calls,
    bodies,
    fail: (call, fault, times = 1) => void faults.push(...Array(times).fill({ call, fault })),
    leaveRoom(bytes) {
      room = bytes;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
