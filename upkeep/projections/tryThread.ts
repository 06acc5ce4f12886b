/** Entry of the thread that a projection is tried in. Whatever the projection does, the thread can be ended. */
import { register } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../engine/messageOf.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { Forbidden, ForbiddenUse, type Use } from './forbidden.js';
import { Trial } from './trial.js';

export interface TryThreadData {
  /** URL of the projection's file. */
  readonly file: string;
  /** Which of its projections; needed where there are several. */
  readonly name?: string;
  readonly document?: string;
  /** One number, which moves with each event: its place in the batch, from 1; 0: none is handled. */
  readonly progress: SharedArrayBuffer;
}

export type ToTryThread = { readonly events: readonly RecordedEvent[] } | { readonly finish: true };

/** Description of a loaded file for the main thread. */
export interface Loaded {
  readonly name: string;
  readonly version: number;
  readonly categories: readonly string[];
  readonly types: readonly string[];
}

export type FromTryThread =
  | { readonly loaded: Loaded }
  | { readonly unusable: string }
  | { readonly folded: number; readonly poisonCount: number }
  /** `at`: the event's place in the batch. */
  | { readonly forbidden: { readonly use: Use; readonly what: string; readonly at: number } }
  /** Used by what a handler has begun, when it had returned. */
  | { readonly late: { readonly use: Use; readonly what: string } }
  /** A `TrialResult` as JSON, which holds whatever the handlers have made. */
  | { readonly result: string };

const { file, name, document, progress } = workerData as TryThreadData;
const port = parentPort!;
const post = (message: FromTryThread): void => port.postMessage(message);
const at = new Int32Array(progress);

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const isProjection = (value: unknown): value is AnyProjection => {
  const one = value as Partial<AnyProjection> | null | undefined;
  return (
    typeof one === 'object' &&
    one !== null &&
    typeof one.name === 'string' &&
    typeof one.version === 'number' &&
    Array.isArray(one.categories) &&
    typeof one.keys === 'object' &&
    typeof one.on === 'object'
  );
};

/** The one that is meant, or a sentence. */
function chosen(exported: Readonly<Record<string, unknown>>): AnyProjection | string {
  const all = [...new Set(Object.values(exported).filter(isProjection))];
  const named = all.filter((one) => name === undefined || one.name === name);
  if (named.length === 1) return named[0]!;
  const names = all.map((one) => one.name).join(', ');
  if (all.length === 0) return 'It exports no projection. Export the result of defineProjection({ … }).';
  if (name !== undefined) return `It exports no projection ${name}; it exports ${names}.`;
  return `It exports several projections (${names}). Choose one with --projection.`;
}

/** Two time zones that share no hour of any day. */
const ZONES = ['Pacific/Pago_Pago', 'Asia/Tokyo'] as const;

/** Folds a batch; false: something was used that is not for handlers. */
function fold(trial: Trial, zone: string, forbidden: Forbidden, events: readonly RecordedEvent[]): boolean {
  process.env.TZ = zone;
  for (const [i, event] of events.entries()) {
    Atomics.store(at, 0, i + 1);
    forbidden.during(() => trial.take(event));
    if (forbidden.used === undefined) continue;
    const { use, what } = forbidden.used;
    post({ forbidden: { use, what, at: i } });
    return false;
  }
  Atomics.store(at, 0, 0);
  return true;
}

async function run(): Promise<void> {
  register('./resolveSuuq.js', import.meta.url);
  const forbidden = new Forbidden(({ use, what }) => post({ late: { use, what } }));
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = (await forbidden.whileLoading(() => import(file))) as typeof exported;
  } catch (error) {
    post({ unusable: messageOf(error) });
    return;
  }
  const projection = chosen(exported);
  if (typeof projection === 'string') {
    post({ unusable: projection });
    return;
  }
  process.on('unhandledRejection', (reason) => {
    // Already reported.
    if (!(reason instanceof ForbiddenUse)) throw reason;
  });
  const trial = new Trial(projection, document);
  /** The same events once more, in the same module and another time zone: what depends on anything else comes out differently. */
  const repeated = new Trial(projection);
  port.on('message', (message: ToTryThread) => {
    if ('finish' in message) post({ result: JSON.stringify(trial.result(repeated), plain) });
    else if (fold(trial, ZONES[0], forbidden, message.events) && fold(repeated, ZONES[1], forbidden, message.events))
      post({ folded: message.events.length, poisonCount: trial.poisonCount });
  });
  const { version, categories } = projection;
  post({ loaded: { name: projection.name, version, categories, types: Object.keys(projection.on) } });
}

await run();
