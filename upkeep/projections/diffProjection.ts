/** `suuq projections diff`: compares a stored read model with a fold of the same history by the current code. Changes nothing. */
import { type Difference, differences } from '../../application/history/differences.js';
import { refuse } from '../../domain/decider.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import type { Position } from '../../engine/ports/eventStore.js';
import { findBuilds } from '../../engine/projections/builds.js';
import { areEqual, type Pair } from '../../engine/projections/comparison.js';
import type { Poison } from '../../engine/projections/folding.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { createProjectionRuntime } from '../../engine/projections/runtime.js';
import type { Run } from '../backup/progress.js';
import { boundedLog } from '../verify/boundedLog.js';
import { pairs, pairsOf } from '../verify/viewComparison.js';
import { folded, type ViewParts } from '../verify/views.js';
import { findProjection } from './findProjection.js';

export interface DocumentDifference {
  readonly id: string;
  /** added: the code makes it, and it is not stored; gone: it is stored, and the code makes none. */
  readonly kind: 'added' | 'gone' | 'changed';
  /** Changes of a document; `was`: the stored value. Paths begin with `keys` or `body`. */
  readonly changes?: readonly Difference[];
}

export interface DiffResult {
  readonly projection: { readonly name: string; readonly version: number; readonly storedVersion: number };
  /** The newest event that both sides were compared at. */
  readonly position: Position;
  readonly equal: number;
  readonly added: number;
  readonly gone: number;
  readonly changed: number;
  /** Documents that changed each time they were looked at. */
  readonly moving: number;
  /** At most 20 of each kind. */
  readonly documents: readonly DocumentDifference[];
  /** The event that the code of now cannot fold; what comes after it was not compared. */
  readonly poison?: Poison;
}

const MOST_TOLD = 20;
const MOST_CHANGES = 50;
/** Documents that are looked at again, and how often, while somebody writes them. */
const MOST_AGAIN = 50_000;
const ROUNDS = 5;

/** The projection, and the version that is stored. Refuses `not_found`, `not_built`. */
async function storedProjection({ projections, views }: ViewParts, name: string): Promise<[AnyProjection, number]> {
  const found = findProjection(projections, name);
  const { served } = await findBuilds(views, found, await views.list());
  if (served === undefined) refuse('not_built', `${name} has not been built yet, so there is nothing to compare.`);
  return [found, served.version];
}

const kindOf = ({ is, fresh }: Pair): DocumentDifference['kind'] | undefined => {
  if (is === undefined) return fresh === undefined ? undefined : 'added';
  if (fresh === undefined) return 'gone';
  return areEqual(is, fresh) ? undefined : 'changed';
};

const whole = ({ keys, json }: StoredDocument): object => ({ keys, body: JSON.parse(json) });

function differenceOf({ id, is, fresh }: Pair, kind: DocumentDifference['kind']): DocumentDifference {
  if (kind !== 'changed') return { id, kind };
  return { id, kind, changes: differences(whole(is!), whole(fresh!)).slice(0, MOST_CHANGES) };
}

/** Counts what differs, and keeps some of it. */
class Found {
  equal = 0;
  readonly counts = { added: 0, gone: 0, changed: 0 };
  readonly documents: DocumentDifference[] = [];

  take(pair: Pair): void {
    const kind = kindOf(pair);
    if (kind === undefined) {
      this.equal += 1;
      return;
    }
    if (this.counts[kind] < MOST_TOLD) this.documents.push(differenceOf(pair, kind));
    this.counts[kind] += 1;
  }
}

/**
 * Folds the projection up to the position of the stored documents, and compares each document. While a service writes, differing documents
 * are compared once more at a later position; remaining differences are reported. Rejects with the signal's reason.
 */
export async function diffProjection(parts: ViewParts, name: string, run: Run): Promise<DiffResult> {
  const { log: whole, views, scratch } = parts;
  const [projection, storedVersion] = await storedProjection(parts, name);
  let position = await placeOf(parts, name);
  const log = boundedLog(whole, position);
  const runtime = createProjectionRuntime({
    eventStore: log,
    readModels: scratch,
    projections: [projection],
    unattended: true,
  });
  const found = new Found();
  let again: string[] = [];
  try {
    await runtime.start();
    const stops = await folded(runtime, run, position);
    const poison = stops.get(name)?.poison;
    let scanned = 0;
    for await (const pair of pairs(views, scratch, name)) {
      run.signal.throwIfAborted();
      scanned += 1;
      if (scanned % 1000 === 0) run.report({ phase: 'comparing', done: `${scanned} documents` });
      if (kindOf(pair) !== undefined && again.length < MOST_AGAIN) again.push(pair.id);
      else found.take(pair);
    }
    for (let round = 0; round < ROUNDS && again.length > 0 && poison === undefined; round += 1) {
      const end = await placeOf(parts, name);
      // Nothing came in between: what differs, differs.
      if (end === position && round > 0) break;
      position = end;
      log.moveTo(end);
      await folded(runtime, run, end);
      again = await stillDiffering(parts, name, again, found);
    }
    const pairsLeft = await pairsOf(views, scratch, name, again);
    const moving = pairsLeft.filter((pair) => isNewer(pair, position));
    for (const pair of pairsLeft) if (!moving.includes(pair)) found.take(pair);
    const { equal, counts, documents } = found;
    return {
      projection: { name, version: projection.version, storedVersion },
      position: poison === undefined ? position : poison.position - 1,
      equal,
      ...counts,
      moving: moving.length,
      documents,
      ...(poison !== undefined && { poison }),
    };
  } finally {
    await runtime.stop();
  }
}

/** How far the stored documents are; what came after is not compared. */
async function placeOf({ views, livePositions }: ViewParts, name: string): Promise<Position> {
  const text = (await livePositions?.())?.get(name);
  return text ?? views.checkpoint(await views.resolve(name));
}

const isNewer = ({ is }: Pair, position: Position): boolean => is !== undefined && is.revision > position;

/** Looks at some again; those that are equal now are counted. */
async function stillDiffering({ views, scratch }: ViewParts, name: string, ids: readonly string[], found: Found) {
  const left: string[] = [];
  for (const pair of await pairsOf(views, scratch, name, ids)) {
    if (kindOf(pair) === undefined) found.take(pair);
    else left.push(pair.id);
  }
  return left;
}
