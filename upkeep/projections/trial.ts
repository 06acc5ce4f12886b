/** Folds a projection in memory and reports all its faults. In the thread of `suuq projections try`. */
import { isDeepStrictEqual } from 'node:util';
import { type Difference, differences } from '../../application/history/differences.js';
import { messageOf } from '../../engine/messageOf.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { type AnyProjection, handlersOf, seen, type View } from '../../engine/projections/projection.js';

/** An event by its place, for people. */
export interface EventPlace {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  /** RFC 3339. */
  readonly at: string;
}

export interface Poison extends EventPlace {
  readonly error: string;
}

/** Effect of one event on the watched document. */
export interface Step extends EventPlace {
  /** Paths begin with `keys` or `body`. */
  readonly changes: readonly Difference[];
}

export interface Sample {
  readonly id: string;
  readonly keys: object;
  readonly body: unknown;
}

export interface TrialResult {
  /** Events that a handler was given. */
  readonly handled: number;
  readonly documents: number;
  readonly samples: readonly Sample[];
  readonly poisonCount: number;
  readonly poison: readonly Poison[];
  /** Members of the samples' bodies that JSON does not hold: stored and read again they are others. */
  readonly lost: readonly { readonly id: string; readonly path: string }[];
  /** A document that came out differently when the same events were folded once more. */
  readonly unstable?: { readonly id: string; readonly changes: readonly Difference[] };
  readonly steps?: readonly Step[];
  readonly stepCount?: number;
}

export const placeOf = ({ id, type, stream, revision, position, meta }: RecordedEvent): EventPlace => ({
  id,
  type,
  stream,
  revision,
  position,
  at: meta.at,
});

type AnyView = View<unknown>;

const shown = (view: AnyView | undefined) => view && { keys: view.keys, body: view.body };

/** Maximum listed changes of a document that differs between folds. */
const MOST_CHANGES = 5;
const SAMPLES = 5;
const MOST_POISON = 20;
const MOST_STEPS = 200;

/** So that a handler which changes what came in is found out. Parts that are frozen already are whole. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** Throws what is wrong with an answer. */
function checked(answer: unknown, { keys }: AnyProjection): AnyView | undefined {
  if (answer === undefined) return undefined;
  const view = answer as AnyView | null;
  if (typeof view !== 'object' || view === null) throw new Error('the handler must return a view or undefined');
  if ('then' in view) throw new Error('the handler returned a promise: projections are synchronous');
  if (typeof view.keys !== 'object' || view.keys === null || view.body === undefined)
    throw new Error('the handler returned a value without keys and body');
  for (const [name, value] of Object.entries(view.keys)) {
    const declared = keys[name];
    if (declared === undefined) throw new Error(`the key ${name} is not declared`);
    if (value !== null && typeof value !== (declared === 'text' ? 'string' : 'number'))
      throw new Error(`the key ${name} is a ${typeof value}, and declared as ${declared}`);
  }
  return frozen(view);
}

/** Paths of what JSON leaves out, or makes another of. */
function lostIn(value: unknown, path: string): string[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path];
  if (Array.isArray(value)) return value.flatMap((one, i) => lostIn(one, `${path}[${i}]`));
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return [path];
  return Object.entries(value).flatMap(([name, one]) => lostIn(one, `${path}.${name}`));
}

export class Trial {
  readonly #projection: AnyProjection;
  readonly #watched: string | undefined;
  readonly #views = new Map<string, AnyView>();
  readonly #poison: Poison[] = [];
  readonly #steps: Step[] = [];
  #handled = 0;
  #poisonCount = 0;
  #stepCount = 0;

  /** `watched`: a document whose steps are recorded. */
  constructor(projection: AnyProjection, watched?: string) {
    this.#projection = projection;
    this.#watched = watched;
  }

  get poisonCount(): number {
    return this.#poisonCount;
  }

  /** Folds an event; what is wrong with it is noted, and leaves the documents as they were. */
  take(event: RecordedEvent): void {
    const handler = handlersOf(this.#projection).get(event.type);
    if (handler === undefined) return;
    this.#handled += 1;
    try {
      const about = frozen(seen(event));
      const own = handler.own ? this.#views.get(about.streamId) : undefined;
      const ids = handler.ids?.(about, own) ?? [about.streamId];
      const after = ids.map((id): [string, AnyView | undefined] => [
        id,
        checked(handler.evolve(this.#views.get(id), about, id, own), this.#projection),
      ]);
      for (const [id, view] of after) this.#set(id, view, event);
    } catch (error) {
      this.#poisonCount += 1;
      if (this.#poison.length < MOST_POISON) this.#poison.push({ ...placeOf(event), error: messageOf(error) });
    }
  }

  /** `repeated`: of the same events. */
  result(repeated: Trial): TrialResult {
    const unstable = this.#unstable(repeated);
    const ids = [...this.#views.keys()].filter((id) => this.#watched === undefined || id === this.#watched);
    const samples = ids.slice(0, SAMPLES).map((id): Sample => ({ id, ...this.#views.get(id)! }));
    return {
      handled: this.#handled,
      documents: this.#views.size,
      samples,
      poisonCount: this.#poisonCount,
      poison: this.#poison,
      lost: samples.flatMap(({ id, body }) => lostIn(body, 'body').map((path) => ({ id, path }))),
      ...(unstable !== undefined && { unstable }),
      ...(this.#watched !== undefined && { steps: this.#steps, stepCount: this.#stepCount }),
    };
  }

  #unstable(repeated: Trial): TrialResult['unstable'] {
    for (const id of new Set([...this.#views.keys(), ...repeated.#views.keys()])) {
      const [one, other] = [this.#views.get(id), repeated.#views.get(id)];
      if (isDeepStrictEqual(one, other)) continue;
      return { id, changes: differences(shown(one), shown(other)).slice(0, MOST_CHANGES) };
    }
    return undefined;
  }

  #set(id: string, view: AnyView | undefined, event: RecordedEvent): void {
    if (id === this.#watched) this.#step(this.#views.get(id), view, event);
    if (view === undefined) this.#views.delete(id);
    else this.#views.set(id, view);
  }

  #step(before: AnyView | undefined, after: AnyView | undefined, event: RecordedEvent): void {
    this.#stepCount += 1;
    if (this.#steps.length >= MOST_STEPS) return;
    this.#steps.push({ ...placeOf(event), changes: differences(shown(before), shown(after)) });
  }
}
