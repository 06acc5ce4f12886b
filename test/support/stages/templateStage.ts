/**
 * Message templates over HTTP and from the channel's webhook, on the embedded engines, with a clock that a test moves.
 */

import { Readable } from 'node:stream';
import { channelWebhook } from '../../../api/operations/channel/channelWebhook.js';
import { templateOperations } from '../../../api/operations/templates/index.js';
import type { Principal } from '../../../application/access/principal.js';
import { accountOfStore, numbersOfAccount } from '../../../application/templates/templateAccounts.js';
import { templatesProcessor } from '../../../application/templates/templatesProcessor.js';
import { createTemplateUpdates } from '../../../application/templates/templateUpdates.js';
import type { Aggregate, DomainEvent } from '../../../domain/decider.js';
import { file } from '../../../domain/files/file.js';
import { derivedId } from '../../../domain/ids.js';
import { store } from '../../../domain/stores/store.js';
import { BEFORE_ALL, type EventStore, type RecordedEvent, type Subscriber } from '../../../engine/ports/eventStore.js';
import { silentLog } from '../../../engine/ports/log.js';
import type { ProcessorRuntime } from '../../../engine/processors/runtime.js';
import type { Reads } from '../../../engine/projections/reads.js';
import { signatureOf } from '../../../infrastructure/channel/signature.js';
import { createTemplateProvider } from '../../../infrastructure/channel/templateProvider.js';
import { channelNumbers } from '../../../projections/channelNumbers.js';
import { files } from '../../../projections/files.js';
import { templateSyncs } from '../../../projections/templateSyncs.js';
import { templates } from '../../../projections/templates.js';
import { type FakeClock, fakeClock, settle, until } from '../doubles/fakeClock.js';
import { type TemplateGraph, templateGraph } from '../doubles/templateGraph.js';
import { openBox, secretKey, shopDirectory } from './apiServer.js';
import { openStage } from './stage.js';

export const STORE = '00000000-0000-4000-8000-000000000001';
export const OTHER_STORE = '00000000-0000-4000-8000-000000000002';
/** Store without a number. */
export const BARE_STORE = '00000000-0000-4000-8000-000000000003';
export const ACCOUNT = '200300400500';
const OTHER_ACCOUNT = '200300400501';
export const PICTURE = '00000000-0000-4000-8000-00000000f11e';
export const MOVIE = '00000000-0000-4000-8000-00000000f12e';
const SECRET = 'app-secret';
const SCOPES = ['templates:manage'];
const STORES: Readonly<Record<string, string>> = {
  sk_test_one: STORE,
  sk_test_two: OTHER_STORE,
  sk_test_bare: BARE_STORE,
};

// biome-ignore lint/suspicious/noExplicitAny: answers of any operation
export type Body = any;
export interface Answer {
  readonly status: number;
  readonly body: Body;
}

export interface TemplateStage {
  readonly graph: TemplateGraph;
  readonly clock: FakeClock;
  /** `path`: path after the store's `/templates`. */
  call(method: string, path?: string, body?: unknown, key?: string): Promise<Answer>;
  /** Returns the template once `condition` holds. */
  when(id: string, condition: (template: Body) => boolean): Promise<Body>;
  /** Returns the list once `condition` holds. */
  listed(condition: (list: Body) => boolean, key?: string): Promise<Body>;
  /** Creates a template and waits until the provider has it. */
  submitted(fields: object): Promise<Body>;
  /** Delivers a webhook of the provider about a template. `time` in unix seconds. */
  publish(field: string, value: object, time?: number, account?: string): Promise<number>;
  status(providerId: string, event: string, time?: number, more?: object): Promise<number>;
  /** Returns the provider's id of a template that it has. */
  providerId(name: string): string;
  connect(store: string, account: string): Promise<void>;
  /** Appends events of the store to the log. */
  happen<S, E extends DomainEvent>(
    aggregate: Aggregate<S, E>,
    id: string,
    workspaceId: string,
    ...events: readonly E[]
  ): Promise<void>;
  events(stream: string): Promise<readonly RecordedEvent[]>;
  /** Waits until no task is due and every view is up to date. */
  quiet(): Promise<void>;
  /**
   * Waits, with the clock stopped, until only `cached` calls of the provider are in flight and every view is up to date.
   */
  still(cached: () => number): Promise<void>;
  /** Returns when the next task is due, in ms; undefined: never. */
  nextDue(): Promise<number | undefined>;
  stopProcessors(): Promise<void>;
  startProcessors(): Promise<void>;
  close(): Promise<void>;
}

export const seconds = (clock: FakeClock): number => Math.floor(clock.now() / 1_000);

/** `steady`: results depend on the clock alone, not on real time, chance or the progress of the views. */
export async function templateStage({ steady = false } = {}): Promise<TemplateStage> {
  const graph = await templateGraph();
  const clock = fakeClock();
  const stage = await openStage('templates', { projections: [templates, templateSyncs, channelNumbers, files], clock });
  const { eventStore, work, commands, projections, reads } = stage;
  stage.atEnd(() => graph.close());
  const provider = createTemplateProvider({
    baseUrl: graph.baseUrl,
    version: 'v23.0',
    accessToken: 'provider-token',
    timeoutMs: steady ? 60_000 : 2_000,
  });
  stage.atEnd(() => provider.close());
  let count = 0;
  async function happen<S, E extends DomainEvent>(
    aggregate: Aggregate<S, E>,
    id: string,
    workspaceId: string,
    ...events: readonly E[]
  ) {
    const cause = { actor: { type: 'system' as const }, correlationId: 'test', workspaceId };
    await commands.decide({ commandId: derivedId('test', count++), ...cause }, aggregate, id, () => events);
  }
  const seen = async (): Promise<boolean> =>
    projections.waitFor(['templates', 'templateSyncs', 'channelNumbers', 'files'], await eventStore.head(), 5_000);

  let runtime: ProcessorRuntime | undefined;
  const files_ = {
    fileOf: (workspaceId: string, id: string) =>
      commands.query(file, id, (found) => (found?.workspaceId === workspaceId ? found : undefined)),
    openFile: async () => Readable.from([Buffer.from('bytes of a picture')]),
  };
  const seenReads: Reads = { ...reads, find: (of, query) => seen().then(() => reads.find(of, query)) };
  const pending = async (): Promise<number> => work.count('tasks_templates', { dueAt: { lte: clock.now() } }, 100);
  /** Position up to which the processors have noted their tasks. */
  let noted = BEFORE_ALL;
  const notedFrom: EventStore = {
    append: (...args) => eventStore.append(...args),
    readStream: (...args) => eventStore.readStream(...args),
    readAll: (...args) => eventStore.readAll(...args),
    head: () => eventStore.head(),
    close: () => eventStore.close(),
    subscribe(after, filter, { batch }, options) {
      const noting: Subscriber['batch'] = async (events, through) => {
        await batch(events, through);
        noted = through;
      };
      noted = after;
      return eventStore.subscribe(after, filter, { batch: noting }, options);
    },
  };
  async function startProcessors(): Promise<void> {
    const random = steady ? { random: () => 0.5 } : {};
    const accountOf = accountOfStore(commands, openBox);
    const parts = { provider, accountOf, caughtUp: stage.shown, files: files_, log: silentLog, ...random };
    runtime = await stage.start([templatesProcessor(parts)], {
      eventStore: notedFrom,
      reads: steady ? seenReads : reads,
    });
  }
  async function connect(id: string, account: string): Promise<void> {
    await happen(store, id, id, {
      type: 'ChannelNumberConnected',
      data: {
        numberId: derivedId('number', id),
        phoneNumberId: `9${id.slice(-6)}`,
        displayPhoneNumber: '+252 61 1',
        businessAccountId: account,
        catalogId: '1',
      },
    });
    await seen();
  }
  for (const [id, mimeType, kind] of [
    [PICTURE, 'image/jpeg', 'image'],
    [MOVIE, 'video/mp4', 'video'],
  ] as const)
    await happen(file, id, STORE, {
      type: 'FileStored',
      data: {
        name: `a.${kind}`,
        mimeType,
        size: 18,
        sha256: '',
        kind,
        contentId: id,
        source: 'upload',
        temporary: true,
      },
    });
  for (const id of [STORE, OTHER_STORE, BARE_STORE]) {
    const owner = { email: 'asha@example.com', name: 'Asha' };
    const data = { name: 'Shop', owner, country: 'SO', timezone: 'UTC', locale: 'en' as const, planKey: 'basic' };
    await happen(store, id, id, { type: 'StoreCreated', data });
  }
  await connect(STORE, ACCOUNT);
  await connect(OTHER_STORE, OTHER_ACCOUNT);
  await startProcessors();

  const principalOf = (key: string): Principal | undefined => {
    const workspaceId = STORES[key];
    return workspaceId === undefined ? undefined : secretKey(derivedId(key), workspaceId, SCOPES);
  };
  const receiveTemplates = createTemplateUpdates({ commands, numbersOf: numbersOfAccount(reads), log: silentLog });
  const server = await stage.serve({
    operations: templateOperations,
    directory: shopDirectory(principalOf, Object.values(STORES)),
    progress: {
      waitFor: (_, position, ms) => projections.waitFor(['templates', 'templateSyncs'], position, ms),
    },
    extraRoutes: channelWebhook({
      receive: async () => undefined,
      receiveTemplates,
      clock,
      appSecret: SECRET,
      verifyToken: 'v',
    }),
  });

  async function call(method: string, path = '', body?: unknown, key = 'sk_test_one'): Promise<Answer> {
    const answer = await fetch(`${server.url}/api/v1/workspaces/${STORES[key]}/templates${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  /** Lets time pass, in small steps, until `read` returns a value. */
  async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
    for (const end = performance.now() + 10_000; performance.now() < end; ) {
      const found = await read();
      if (found !== undefined) return found;
      await clock.advance(10);
      await settle();
    }
    throw new Error('waited 10 s in vain');
  }
  const when: TemplateStage['when'] = (id, condition) =>
    eventually(async () => {
      const { body } = await call('GET', `/${id}`);
      return condition(body) ? body : undefined;
    });

  async function publish(field: string, value: object, time = seconds(clock), account = ACCOUNT): Promise<number> {
    const entry = [{ id: account, time, changes: [{ field, value }] }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': signatureOf(Buffer.from(body), SECRET),
    };
    return (await fetch(`${server.url}/channel/webhook`, { method: 'POST', body, headers })).status;
  }

  /** Returns whether nothing is due and nothing is in flight. */
  async function isIdle(): Promise<boolean> {
    const head = await eventStore.head();
    const idle = (runtime?.status() ?? []).every(
      ({ position, inFlight, lanes, nextDueAt = Number.POSITIVE_INFINITY }) =>
        position >= head && inFlight === 0 && lanes === 0 && nextDueAt > clock.now(),
    );
    return idle && (await pending()) === 0 && (await seen());
  }
  return {
    graph,
    clock,
    call,
    when,
    publish,
    listed: (condition, key) =>
      eventually(async () => {
        const { body } = await call('GET', '', undefined, key);
        return condition(body) ? body : undefined;
      }),
    async submitted(fields) {
      const { status, body } = await call('POST', '', fields);
      if (status !== 201) throw new Error(`created: ${status} ${JSON.stringify(body)}`);
      return when(body.id, ({ status: now }) => now !== 'submitting');
    },
    status(providerId, event, time, more = {}) {
      const { name, language } = graph.templates.get(providerId) ?? { name: 'gone', language: 'en' };
      const about = { message_template_id: Number(providerId), message_template_name: name };
      const value = { event, ...about, message_template_language: language, reason: 'NONE', ...more };
      return publish('message_template_status_update', value, time);
    },
    providerId: (name) => [...graph.templates.values()].find((one) => one.name === name)!.id,
    connect,
    happen,
    events: (stream) => eventStore.readStream(stream),
    async quiet() {
      await eventually(async () => ((await isIdle()) ? true : undefined));
    },
    still: (current) =>
      until('nothing is in progress', async () => {
        if (current() === 0) return isIdle();
        return runtime?.status()[0]?.inFlight === current() && noted >= (await eventStore.head()) && seen();
      }),
    async nextDue() {
      const [next] = await work.find('tasks_templates', {
        where: { dueAt: { gt: clock.now() } },
        sort: ['dueAt'],
        limit: 1,
      });
      return next?.keys.dueAt as number | undefined;
    },
    startProcessors,
    async stopProcessors() {
      await runtime?.stop();
      runtime = undefined;
    },
    close: stage.close,
  };
}
