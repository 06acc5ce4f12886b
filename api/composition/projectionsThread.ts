/** Entry of the thread that keeps the read models: the log's reader, views.db's only writer, and the runtime. */
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Position } from '../../application/ports/eventStore.js';
import { openEmbeddedEventStoreReader } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import type { AnyProjection } from '../../projections/projection.js';
import type { RuntimeLog } from '../../projections/runtime/log.js';
import { createProjectionRuntime } from '../../projections/runtime/runtime.js';
import type { ProjectionStatus } from '../../projections/runtime/status.js';

export interface ThreadData {
  readonly folder: string;
  readonly notices: MessagePort;
  /** Module that exports `projections`. */
  readonly projections: string;
  readonly graceMs: number | undefined;
  readonly unattended: boolean;
}

export type ToThread =
  | { readonly seq: number; readonly ask: 'status' | 'stop' }
  | { readonly seq: number; readonly rebuild: string };

export type LogLevel = keyof RuntimeLog;

export type FromThread =
  | { readonly started: true }
  | { readonly positions: Readonly<Record<string, Position>> }
  | { readonly stopped: readonly string[] }
  | { readonly log: LogLevel; readonly fields: object; readonly message: string }
  | { readonly seq: number; readonly answer: ProjectionStatus[] | undefined }
  | { readonly seq: number; readonly failed: string };

const port = parentPort!;
const data = workerData as ThreadData;
const say = (message: FromThread): void => port.postMessage(message);

/** Only what survives a message: an error's name and message, not its cause chain. */
const plain = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? { type: value.name, message: value.message, stack: value.stack } : value,
    ]),
  );
const logger = (level: LogLevel) => (fields: object, message: string) =>
  say({ log: level, fields: plain(fields), message });

const { projections } = (await import(data.projections)) as { projections: readonly AnyProjection[] };
const eventStore = openEmbeddedEventStoreReader(data.folder, data.notices);
const readModels = openEmbeddedReadModels(join(data.folder, 'views.db'), { name: 'views.db', cacheKb: 65_536 });
const runtime = createProjectionRuntime({
  eventStore,
  readModels,
  projections,
  log: { info: logger('info'), warn: logger('warn'), error: logger('error') },
  unattended: data.unattended,
  ...(data.graceMs !== undefined && { graceMs: data.graceMs }),
});
runtime.onProgress((positions) => say({ positions }));
runtime.onStopped((stopped) => say({ stopped }));

async function end(): Promise<void> {
  await runtime.stop();
  await eventStore.close();
  await readModels.close();
}

async function answer(message: ToThread): Promise<ProjectionStatus[] | undefined> {
  if ('rebuild' in message) await runtime.rebuild(message.rebuild);
  else if (message.ask === 'status') return runtime.status();
  else await end();
  return undefined;
}

port.on('message', (message: ToThread) => {
  answer(message).then(
    (result) => {
      say({ seq: message.seq, answer: result });
      if ('ask' in message && message.ask === 'stop') port.close();
    },
    (error: Error) => say({ seq: message.seq, failed: error.message }),
  );
});

await runtime.start();
say({ started: true });
