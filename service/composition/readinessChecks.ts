import type { ReadinessCheck } from '../../api/server/health.js';
import { Loads } from '../../engine/loads.js';
import { systemClock } from '../../engine/ports/clock.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import type { ProcessorRuntime } from '../../engine/processors/runtime.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import { placeText } from '../../engine/sealing/vaultErrors.js';
import { projections } from '../../projections/index.js';
import { engineChecks, engineStates } from '../engines/engineStates.js';
import { fileStoreName } from '../engines/engines.js';
import { damageText } from '../folder/damagedFiles.js';
import type { Instance } from './instance.js';
import { buildingOf } from './viewsBuilding.js';

/** Returns the status of what this instance runs: whole read models, and its own shards of partitioned ones. */
const runHere = (all: readonly ProjectionStatus[]) =>
  all
    .filter(({ owner, here }) => owner === undefined || here !== undefined)
    .map(({ name, state, trouble, differing, here }) => ({ name, differing, ...(here ?? { state, trouble }) }));

/** Number of events behind a stuck reader to check: more than it reads at once. */
const LOOK = 1_000;
const CATEGORIES = [...new Set(projections.flatMap(({ categories }) => categories))];

/**
 * Returns a check for an event that nobody can read: readers stop at an event whose key the vault lacks. It reads a page of the log only while
 * the reader that is furthest behind has the position of the last check. A reader with a long backlog moves, and each page costs
 * the event store as much as the reader's own.
 */
function lostKeyCheck(
  { people }: Pick<Instance, 'people'>,
  processors: ProcessorRuntime,
  status: () => Promise<readonly ProjectionStatus[]>,
) {
  let last: number | undefined;
  return async (): Promise<string | undefined> => {
    const readModels = await status();
    const head = Math.max(BEFORE_ALL, ...readModels.map((one) => one.head));
    const least = Math.min(head, ...[...readModels, ...processors.status()].map(({ position }) => position));
    const isStuck = least < head && least === last;
    last = least;
    if (!isStuck) return undefined;
    const [event] = (await people.lost(least, { filter: { categories: CATEGORIES }, limit: LOOK })).events;
    return event && `the vault lacks the key of ${placeText(event)}; run 'suuq admin lost-keys list'`;
  };
}

/** A read model with a wrong document answers everything else, so requests are still sent here. */
function differingNote(all: readonly ProjectionStatus[]): { note: string } | undefined {
  const differing = runHere(all).filter((one) => one.differing !== undefined);
  if (differing.length === 0) return undefined;
  const names = differing.map(({ name, differing: count }) => `${name} (${count})`).join(', ');
  return { note: `documents differ from the log: ${names}; run 'suuq verify', then 'suuq projections rebuild'` };
}

/** Names of the engines by their purpose; unavailable ones included. */
export async function engineNames(instance: Instance): Promise<Readonly<Record<string, string>>> {
  const { events, documents } = instance.engines;
  const [store, models, files] = await engineStates(instance);
  const labelOf = (name: string, ok: boolean | undefined): string => (ok ? name : `${name} (unavailable)`);
  return {
    'Event store': labelOf(events.name, store?.ok),
    'Read models': labelOf(documents.name, models?.ok),
    Files: labelOf(fileStoreName(instance.settings), files?.ok),
  };
}

/** How long processors wait for a store before that is reported. */
const WAITING_MS = 30_000;

const namesOf = (all: readonly { readonly name: string }[]): string => all.map(({ name }) => name).join(', ');

/**
 * Returns the checks of this instance. A stopped projection is reported by the instance that runs it, and a stopped shard by
 * the owner of the shard: the others can go on.
 */
export function readinessChecks(instance: Instance, processors: ProcessorRuntime): readonly ReadinessCheck[] {
  const loads = new Loads<readonly ProjectionStatus[]>();
  /** Once for the checks that run at the same time. */
  const statusNow = () => loads.join('status', () => instance.projections.status());
  return [
    ...engineChecks(instance),
    {
      name: 'files',
      quiet: true,
      check() {
        const all = instance.damage.now();
        if (all.length === 0) return undefined;
        const text = all.map(damageText).join(' ');
        // Other files than databases are read by the next start.
        return all.some(({ file }) => file.endsWith('.db')) ? text : { note: text };
      },
    },
    {
      name: 'clock',
      quiet: true,
      check() {
        const note = instance.services.clock.evidence?.report();
        return note === undefined ? undefined : { note };
      },
    },
    {
      name: 'projections',
      async check() {
        const all = await statusNow();
        const own = runHere(all);
        const stopped = own.filter((one) => one.state === 'stopped');
        if (stopped.length > 0) return `stopped: ${namesOf(stopped)}`;
        const waiting = own.filter((one) => one.trouble !== undefined);
        if (waiting.length > 0)
          return `waiting for an unavailable store: ${namesOf(waiting)}: ${waiting[0]!.trouble!.error}`;
        const building = buildingOf(all);
        if (building === undefined) return differingNote(all);
        const { names, of, percent } = building;
        return { detail: `being built: ${names.length} of ${of} cannot be read yet, ${percent} % done`, percent };
      },
    },
    { name: 'keys', check: lostKeyCheck(instance, processors, statusNow) },
    {
      name: 'processors',
      check() {
        const all = processors.status();
        const failed = all.filter(({ state }) => state === 'failed');
        if (failed.length > 0) return `stopped: ${namesOf(failed)}`;
        const before = systemClock.now() - WAITING_MS;
        const waiting = all.filter(({ waitingSince = Number.POSITIVE_INFINITY }) => waitingSince <= before);
        return waiting.length === 0 ? undefined : `waiting for an unavailable store: ${namesOf(waiting)}`;
      },
    },
  ];
}
