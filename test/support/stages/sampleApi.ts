/** A small API of notes, with one operation for each rule of the pipeline, and its server. */

import { listJson, type Operation, operation } from '../../../api/contract/operation.js';
import { Closed, DateTime, Int32, Int64, Named, OneOf, PageQuery, Uuid } from '../../../api/contract/schemas.js';
import { Type } from '../../../api/contract/type.js';
import { createMetrics } from '../../../api/http/metrics.js';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../../api/server/server.js';
import { type Aggregate, type DomainEvent, refuse } from '../../../domain/decider.js';
import { createLog } from '../../../service/log.js';
import { type FakeClock, fakeClock } from '../doubles/fakeClock.js';
import { type TestServices, testServices } from '../doubles/fakeServices.js';

type NoteEvent = DomainEvent<'NoteWritten', { title: string }>;
export const note: Aggregate<{ titles: string[] }, NoteEvent> = {
  name: 'note',
  initial: () => ({ titles: [] }),
  evolve: (state, { data }) => ({ titles: [...state.titles, data.title] }),
};
const write = (title: string) => (): NoteEvent[] => [{ type: 'NoteWritten', data: { title } }];

const NoteBody = Named('NoteBody', Type.Object({ id: Uuid, title: Type.String() }));
const NoteInput = Named(
  'NoteInput',
  Closed({
    title: Type.String({ minLength: 1, maxLength: 20 }),
    kind: Type.Optional(Type.Unsafe<'plain' | 'list'>(Type.String({ enum: ['plain', 'list'], default: 'plain' }))),
    stock: Type.Optional(Int32({ minimum: 0 })),
    cents: Type.Optional(Int64({ minimum: 0, maximum: 100_000_000_000 })),
    at: Type.Optional(DateTime),
    email: Type.Optional(Type.String({ format: 'email' })),
    slug: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._:-]+$' })),
    apiKey: Type.Optional(Type.String({ maxLength: 10 })),
    lines: Type.Optional(
      Type.Union([Type.Array(Closed({ name: Type.String({ minLength: 1 }) }), { maxItems: 3 }), Type.Null()]),
    ),
  }),
);

const shared = { tag: 'Notes', feature: 'notes' } as const;

/** Calls that the operations have seen, and settings that make them fail or wait, for one test. */
export class Stage {
  runs = 0;
  ids: string[] = [];
  bodies: unknown[] = [];
  queries: unknown[] = [];
  fault: Error | undefined;
  gate: Promise<void> | undefined;
  /** If true, createNote appends an event. */
  appends = false;
}

export const sampleOperations = (stage: Stage): Operation[] => [
  operation({
    ...shared,
    id: 'getNote',
    route: 'GET {W}/notes/{noteId}',
    summary: 'Reads a note.',
    scope: 'notes:view',
    params: { noteId: Uuid },
    answers: { 200: NoteBody },
    handle: async ({ params }) => ({ status: 200, body: { id: params.noteId, title: 'Milk' } }),
  }),
  operation({
    ...shared,
    id: 'listNotes',
    route: 'GET {W}/notes',
    summary: 'Lists notes by title.',
    scope: 'notes:view',
    query: { ...PageQuery, status: Type.Optional(Type.Array(OneOf('open', 'done'))), number: Type.Optional(Int64()) },
    answers: {
      200: Named('NotesBody', Type.Object({ notes: Type.Array(NoteBody), next: Type.Optional(Type.String()) })),
    },
    async handle({ read, query }) {
      stage.queries.push(query);
      const page = await read.page({ name: 'notes' }, { where: {}, sort: ['title'] });
      return { status: 200, body: listJson('notes', page) };
    },
  }),
  operation({
    ...shared,
    id: 'createNote',
    route: 'POST {W}/notes',
    summary: 'Writes a note.',
    scope: 'notes:manage',
    body: NoteInput,
    answers: { 201: NoteBody },
    problems: ['name_taken'],
    idempotent: true,
    async handle({ body, newId, commands }) {
      stage.runs += 1;
      stage.bodies.push(body);
      const id = newId('note');
      stage.ids.push(id);
      if (stage.appends) await commands.decide(note, id, write(body.title));
      await stage.gate;
      if (stage.fault !== undefined) throw stage.fault;
      return { status: 201, body: { id, title: body.title } };
    },
  }),
  operation({
    ...shared,
    id: 'putNote',
    route: 'PUT {W}/notes/{noteId}',
    summary: 'Writes a note under an id.',
    scope: 'notes:manage',
    params: { noteId: Type.String({ minLength: 1, maxLength: 200 }) },
    body: NoteInput,
    answers: { 200: null },
    async handle({ params, body, commands, read }) {
      await commands.decide(note, 'n1', write(body.title));
      await read.find({ name: 'notes' }, { limit: 1 });
      stage.bodies.push({ ...params, ...body });
      return { status: 200, body: params };
    },
  }),
  operation({
    ...shared,
    id: 'cancelNote',
    route: 'POST {W}/notes/{noteId}/cancel',
    summary: 'Cancels a note.',
    scope: 'notes:manage',
    params: { noteId: Uuid },
    body: Closed({ reason: Type.Optional(Type.String({ maxLength: 5 })) }),
    bodyOptional: true,
    answers: { 204: null },
    async handle({ body }) {
      stage.bodies.push(body);
      return { status: 204 };
    },
  }),
  operation({
    ...shared,
    id: 'createSecret',
    route: 'POST {W}/secrets',
    summary: 'Makes a secret.',
    scope: 'notes:manage',
    answers: { 201: Type.Object({ secret: Type.Optional(Type.String()) }) },
    idempotent: true,
    deprecated: { since: '2026-01-01T00:00:00Z', sunset: '2026-09-01T00:00:00Z' },
    whenClosed: true,
    handle: async ({ newId }) => ({
      status: 201,
      body: { id: newId('s'), secret: 'whsec_abcdef' },
      replayBody: { id: newId('s') },
    }),
  }),
  operation({
    ...shared,
    id: 'changePartner',
    route: 'PATCH {P}/profile',
    summary: 'Changes the partner.',
    scope: 'partner:manage',
    answers: { 200: null },
    handle: async ({ partner }) => ({ status: 200, body: { partnerId: partner.partnerId } }),
  }),
  operation({
    ...shared,
    id: 'getPartner',
    route: 'GET {P}',
    summary: 'Reads the partner.',
    scope: 'partner:manage',
    answers: { 200: null },
    handle: async ({ partner, principal }) =>
      principal.keyId === ''
        ? refuse('not_found', 'There is none.')
        : { status: 200, body: { partnerId: partner.partnerId } },
  }),
];

export interface SampleApi extends TestServices {
  readonly url: string;
  readonly server: HttpServer;
  readonly stage: Stage;
  readonly clock: FakeClock;
  readonly lines: string[];
}

export const silentRates = { ip: 0, user: 0, key: 0 };

/** Stages of APIs that have ended, with their operations. Compiling their schemas takes longer than most tests. */
const resting: { readonly stage: Stage; readonly operations: readonly Operation[] }[] = [];

function stageWithOperations(): (typeof resting)[number] {
  const rested = resting.pop();
  if (rested === undefined) {
    const stage = new Stage();
    return { stage, operations: sampleOperations(stage) };
  }
  Object.assign(rested.stage, new Stage());
  return rested;
}

/** Starts the sample API on a free port of the loopback interface. */
export async function startSampleApi(options: Partial<HttpServerOptions> = {}): Promise<SampleApi> {
  const clock = fakeClock();
  const test = await testServices(clock);
  const played = stageWithOperations();
  const { stage, operations } = played;
  const lines: string[] = [];
  const server = createHttpServer({
    operations,
    services: test.services,
    settings: { host: '127.0.0.1', port: 0, trustProxy: 0, rates: silentRates, ...options.settings },
    progress: test.progress,
    metrics: createMetrics(),
    log: createLog('info', { to: { write: (line: string) => void lines.push(line) } }),
    about: async () => ({
      name: 'Suuq',
      version: '1.2.3',
      engines: { 'Event store': 'SQLite <memory>' },
      startedAt: clock.now() - 90_000,
      now: clock.now(),
      counts: { Events: 1234 },
    }),
    soleUser: true,
    ...Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'settings')),
  });
  const { url } = await server.listen().catch(async (error) => {
    await test.close();
    throw error;
  });
  server.ready();
  const close = async (): Promise<void> => {
    await server.close();
    await test.close();
    resting.push(played);
  };
  return { ...test, url, server, stage, clock, lines, close };
}

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as any client without types would
  readonly body: any;
}

/** Sends one request as a client does. `body` is sent as JSON unless it is text or bytes. */
export async function send(
  url: string,
  method: string,
  options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const { key, body } = options;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: (raw ? body : JSON.stringify(body)) as string }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await answer.text();
  const json = (answer.headers.get('content-type') ?? '').includes('json') && text !== '';
  return { status: answer.status, headers: answer.headers, text, body: json ? JSON.parse(text) : undefined };
}
