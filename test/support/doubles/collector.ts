/** Trace collector on this machine: OTLP over HTTP in protobuf, parsed by hand after trace.proto. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bytesOf } from './bytesOf.js';

export interface SeenSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly traceState: string;
  /** 2: an error. */
  readonly status: number;
  /** Attributes of the span's resource. */
  readonly resource: Readonly<Record<string, string | number | boolean>>;
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: SeenSpan[];
  /** Number of posts so far, whatever the response. */
  posts(): number;
  /** Header fields of the last post. */
  headers(): IncomingHttpHeaders;
  /** Sets the response from now on. Default: 200. */
  answer(how: number | 'hang'): void;
  close(): Promise<void>;
}

type Field = readonly [number, number | bigint | Buffer];

function varint(bytes: Buffer, from: number): readonly [bigint, number] {
  let value = 0n;
  for (let at = from, shift = 0n; ; at += 1, shift += 7n) {
    const byte = bytes[at]!;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at + 1];
  }
}

/** The fields of a message in their order; fixed64 as bigint, varints as numbers. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [key, next] = varint(bytes, at);
    const [number, wire] = [Number(key >> 3n), Number(key & 7n)];
    if (wire === 0) {
      const [value, end] = varint(bytes, next);
      fields.push([number, Number(value)]);
      at = end;
    } else if (wire === 1) {
      fields.push([number, bytes.readBigUInt64LE(next)]);
      at = next + 8;
    } else if (wire === 5) {
      fields.push([number, bytes.readUInt32LE(next)]);
      at = next + 4;
    } else {
      const [length, from] = varint(bytes, next);
      at = from + Number(length);
      fields.push([number, bytes.subarray(from, at)]);
    }
  }
  return fields;
}

const all = (fields: readonly Field[], number: number): Buffer[] =>
  fields.filter(([one]) => one === number).map(([, value]) => value as Buffer);
const one = (fields: readonly Field[], number: number): Buffer => all(fields, number)[0] ?? Buffer.alloc(0);

function attributesOf(pairs: readonly Buffer[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const fields = fieldsOf(pair);
      const [[kind, value] = [0, 0] as const] = fieldsOf(one(fields, 2));
      const shown = kind === 1 ? String(value) : kind === 2 ? value === 1 : Number(value);
      return [one(fields, 1).toString(), shown];
    }),
  );
}

function spanOf(bytes: Buffer, resource: SeenSpan['resource']): SeenSpan {
  const fields = fieldsOf(bytes);
  const numberOf = (number: number): number => Number(fields.find(([found]) => found === number)?.[1] ?? 0);
  return {
    traceId: one(fields, 1).toString('hex'),
    spanId: one(fields, 2).toString('hex'),
    traceState: one(fields, 3).toString(),
    parentSpanId: one(fields, 4).toString('hex'),
    name: one(fields, 5).toString(),
    kind: numberOf(6),
    attributes: attributesOf(all(fields, 9)),
    links: all(fields, 13).map((link) => {
      const parts = fieldsOf(link);
      return { traceId: one(parts, 1).toString('hex'), spanId: one(parts, 2).toString('hex') };
    }),
    status: Number(fieldsOf(one(fields, 15)).find(([found]) => found === 3)?.[1] ?? 0),
    resource,
  };
}

/** ExportTraceServiceRequest → ResourceSpans → ScopeSpans → Span. */
function spansIn(body: Buffer): SeenSpan[] {
  return all(fieldsOf(body), 1).flatMap((bytes) => {
    const ofResource = fieldsOf(bytes);
    const resource = attributesOf(all(fieldsOf(one(ofResource, 1)), 1));
    return all(ofResource, 2).flatMap((scope) => all(fieldsOf(scope), 2).map((span) => spanOf(span, resource)));
  });
}

/** Listens on `port`, or on any free port. */
export async function startCollector(port = 0): Promise<Collector> {
  const spans: SeenSpan[] = [];
  let posts = 0;
  let headers: IncomingHttpHeaders = {};
  let how: number | 'hang' = 200;
  const server = createServer(async (request, response) => {
    const bytes = await bytesOf(request);
    posts += 1;
    headers = request.headers;
    if (how === 'hang') return;
    if (how === 200) spans.push(...spansIn(bytes));
    response.writeHead(how, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    posts: () => posts,
    headers: () => headers,
    answer(next) {
      how = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
